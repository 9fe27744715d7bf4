// The same, right; and what is not known of a pointer.

#include <torch/torch.h>

#include <memory>

struct RightAgent {
  explicit RightAgent(std::shared_ptr<torch::Device> given) : device(given) {
    net->to(*device);
    mean = torch::zeros({4}).to(*device);
  }
  torch::Tensor act(torch::Tensor x) { return net->forward(x.to(*device)) + mean; }
  std::shared_ptr<torch::Device> device;
  torch::nn::Linear net{4, 4};
  torch::Tensor mean;
};

torch::Tensor always_the_cpu() {
  auto device = std::make_unique<torch::Device>(torch::kCPU);
  torch::nn::Linear net(4, 4);
  net->to(*device);
  return net->forward(torch::rand({4}));
}

torch::Tensor changed_by_another_name() {
  torch::Device device(torch::kCPU);
  torch::Device* other = &device;
  *other = torch::Device(torch::kCUDA);
  torch::nn::Linear net(4, 4);
  net->to(device);
  return net->forward(torch::rand({4}).to(*other));
}

void fill(torch::Tensor* rows, int64_t count);

torch::Tensor filled_by_another(int64_t count) {
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  auto* rows = new torch::Tensor[count];
  fill(rows, count);
  auto first = rows[0].unsqueeze(0);
  delete[] rows;
  return net->forward(first);
}

torch::Tensor moved_in_the_array(int64_t count) {
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  auto* rows = new torch::Tensor[count];
  for (int64_t i = 0; i < count; ++i) rows[i] = torch::rand({4}).to(torch::kCUDA);
  auto first = rows[0].unsqueeze(0);
  delete[] rows;
  return net->forward(first);
}
