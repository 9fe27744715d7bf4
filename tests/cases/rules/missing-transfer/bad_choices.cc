// A device that is chosen when the program runs may be CUDA.

#include <torch/torch.h>

#include <vector>

void in_a_ternary() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear layer(4, 4);
  layer->to(device);
  torch::Tensor x = torch::randn({2, 4});
  torch::Tensor y = layer->forward(x);  // LINT: missing-transfer
  torch::Tensor z = layer(x.to(device));
}

void by_an_if() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::kCUDA;
  torch::Tensor a = torch::ones({4}, device);
  torch::Tensor b = torch::ones({4});
  auto c = a + b;  // LINT: missing-transfer
}

// An opaque device is only equal to itself.
torch::Tensor one_of_two(torch::Device device, torch::Device other) {
  torch::nn::Linear layer(4, 4);
  layer->to(device);
  torch::Tensor x = torch::randn({2, 4});
  torch::Tensor y = layer->forward(x);  // LINT: missing-transfer
  torch::Tensor z = torch::ones({2, 4}, other);
  return layer->forward(x.to(device)) + z;
}

// A copy shares its tensor, and a move of one moves no other.
void shared() {
  torch::Tensor x = torch::ones({2, 3});
  torch::Tensor alias = x;
  x = x.cuda();
  auto z = x + alias;  // LINT: missing-transfer
  auto w = x + x.view({6});
}

// Lists and losses need all on one device.
void lists() {
  torch::Tensor a = torch::ones({4});
  torch::Tensor b = torch::ones({4}).cuda();
  auto c = torch::cat({a, b});  // LINT: missing-transfer
  auto d = torch::cat({b, b});
  std::vector<torch::Tensor> parts;
  parts.push_back(b);
  parts.push_back(a.cuda());
  auto e = torch::cat(parts) + b;
  auto g = torch::cat(parts) + a;  // LINT: missing-transfer
  torch::nn::MSELoss loss;
  loss(b, a);  // LINT: missing-transfer
  loss->forward(b, b);
}
