// Devices that are held by a pointer, and arrays of tensors.

#include <torch/torch.h>

#include <memory>

struct Agent {
  Agent() {
    device = std::make_shared<torch::Device>(torch::cuda::is_available() ? torch::kCUDA
                                                                         : torch::kCPU);
    net->to(*device);
    mean = torch::zeros({4});
  }
  torch::Tensor act(torch::Tensor x) {
    auto y = net->forward(x.to(*device));
    return y + mean;  // LINT: missing-transfer
  }
  std::shared_ptr<torch::Device> device;
  torch::nn::Linear net{4, 4};
  torch::Tensor mean;
};

torch::Tensor by_a_plain_pointer(const torch::Device* device) {
  torch::nn::Linear net(4, 4);
  net->to(*device);
  return net->forward(torch::rand({4}));  // LINT: missing-transfer
}

torch::Tensor from_an_array(int64_t count) {
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  auto* rows = new torch::Tensor[count];
  for (int64_t i = 0; i < count; ++i) rows[i] = torch::rand({4});
  auto first = rows[0].unsqueeze(0);
  delete[] rows;
  return net->forward(first);  // LINT: missing-transfer
}
