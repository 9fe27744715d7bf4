// A value that does not change in the loop is moved on every iteration.

#include <torch/torch.h>

#include <vector>

float counted(torch::Device device) {
  auto weights = torch::randn({8, 8});
  float total = 0;
  for (int i = 0; i < 10; ++i) {
    auto x = torch::randn({4, 8}, device);
    total += x.matmul(weights.to(device)).sum().item<float>();  // LINT: transfer-in-loop
  }
  return total;
}

torch::Tensor over_batches(std::vector<torch::Tensor>& batches) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto mean = torch::full({8}, 0.5);
  torch::Tensor total = torch::zeros({8}, device);
  for (auto& batch : batches) {
    auto centred = batch.to(device) - mean.to(device);  // LINT: transfer-in-loop
    total += centred.sum(0);
  }
  return total;
}

void until_done(torch::Tensor state, int steps) {
  auto table = torch::arange(100);
  while (steps > 0) {
    auto on_device = table.cuda();  // LINT: transfer-in-loop
    state.add_(on_device);
    --steps;
  }
}

void without_braces(torch::Tensor sum, torch::Device device) {
  auto step = torch::ones({8});
  for (int i = 0; i < 10; ++i) sum += step.to(device);  // LINT: transfer-in-loop
}

void from_outside(const torch::Tensor& x, std::vector<float>& out) {
  for (int i = 0; i < 10; ++i) out.push_back(x.cpu()[i].item<float>());  // LINT: transfer-in-loop
}

struct Cloud {
  torch::Tensor points;
  void save(std::ostream& out) {
    for (int i = 0; i < 10; ++i) {
      auto on_host = points.cpu();  // LINT: transfer-in-loop
      out << on_host[i];
    }
  }
};
