// Operations whose operands are on different devices.

#include <torch/torch.h>

void operators() {
  auto cpu = torch::ones({2, 3});
  auto gpu = torch::ones({2, 3}, torch::kCUDA);
  auto a = cpu + gpu;  // LINT: missing-transfer
  auto b = gpu * cpu;  // LINT: missing-transfer
  gpu += cpu;          // LINT: missing-transfer
}

void functions() {
  auto cpu = torch::randn({3, 3});
  auto gpu = torch::randn({3, 3}).cuda();
  auto a = torch::matmul(gpu, cpu);    // LINT: missing-transfer
  auto b = gpu.mm(cpu);                // LINT: missing-transfer
  auto c = torch::cat({gpu, cpu});     // LINT: missing-transfer
  auto d = torch::mse_loss(gpu, cpu);  // LINT: missing-transfer
  gpu.add_(cpu);                       // LINT: missing-transfer
}

void products() {
  auto cpu = torch::randn({3, 3});
  auto gpu = torch::randn({3, 3}).cuda();
  auto a = torch::einsum("ij,jk->ik", {gpu, cpu});  // LINT: missing-transfer
  auto b = torch::outer(gpu[0].flatten(), cpu.flatten());  // LINT: missing-transfer
  auto c = gpu.addcmul(cpu, cpu);                   // LINT: missing-transfer
}

void from_a_vector(const std::vector<float>& values) {
  auto gpu = torch::randn({3, 3}).cuda();
  auto scaled = gpu * torch::tensor(values);  // LINT: missing-transfer
}

void options() {
  auto options = torch::TensorOptions().dtype(torch::kFloat).device(torch::kCUDA, 0);
  auto gpu = torch::zeros({4}, options);
  auto cpu = torch::full({4}, 2.0);
  auto sum = gpu + cpu;  // LINT: missing-transfer
}

void two_gpus() {
  auto first = torch::ones({4}, torch::Device(torch::kCUDA, 0));
  auto second = torch::ones({4}, torch::Device("cuda:1"));
  auto sum = first + second;  // LINT: missing-transfer
}

void the_current_gpu() {
  auto second = torch::ones({4}, torch::Device(torch::kCUDA, 1));
  auto sum = second + torch::ones({4}).cuda();  // LINT: missing-transfer
}
