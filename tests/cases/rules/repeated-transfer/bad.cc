// The same value goes to the same device twice, and both copies are there at the same time.

#include <torch/torch.h>

torch::Tensor twice(torch::Device device) {
  auto weights = torch::randn({64, 64});
  auto a = weights.to(device);
  auto b = weights.to(device);  // LINT: repeated-transfer
  return a.matmul(b);
}

torch::Tensor literal() {
  auto x = torch::randn({8});
  auto first = x.cuda();
  auto scaled = first * 2;
  auto second = x.cuda();  // LINT: repeated-transfer
  return scaled + second + first;
}

torch::Tensor to_the_host() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  auto again = x.to(torch::kCPU);  // LINT: repeated-transfer
  return host + again;
}

torch::Tensor of_a_temporary() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto x = torch::randn({4, 4});
  auto s = torch::relu(x.to(device));
  return x.to(device).matmul(s);  // LINT: repeated-transfer
}

torch::Tensor of_a_parameter(torch::Tensor given, torch::Device device) {
  auto a = given.to(device);
  auto b = given.to(device);  // LINT: repeated-transfer
  return a + b;
}

// A view that nobody writes to.
torch::Tensor viewed(torch::Device device) {
  auto x = torch::ones({2, 3});
  auto first = x.to(device);
  auto corner = x.diagonal();
  auto second = x.to(device);  // LINT: repeated-transfer
  return first + second;
}
