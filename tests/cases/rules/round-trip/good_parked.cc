// Parked on the CPU while the device's memory was free for others.

#include <torch/torch.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

torch::Tensor heavy_work() {
  auto big = torch::randn({512, 512}, torch::kCUDA);
  return torch::mm(big, big).sum();
}

float summed(torch::Tensor x) { return x.sum().item<float>(); }

torch::Tensor assigned_over() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  x = torch::Tensor();
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

torch::Tensor reset_by_name() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  x.reset();
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

torch::Tensor reset_and_back() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.to(torch::kCPU);
  x.reset();
  return host.to(torch::kCUDA) * 2;
}

torch::Tensor out_of_scope() {
  torch::Tensor host;
  {
    auto x = torch::randn({8}, torch::kCUDA);
    host = x.cpu();
  }
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

torch::Tensor moved_away() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  const float sum = summed(std::move(x));
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work * sum;
}

torch::Tensor under_another_name() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  auto other = std::move(x);
  other.reset();
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

torch::Tensor optional_reset() {
  std::optional<torch::Tensor> x = torch::randn({8}, torch::kCUDA);
  auto host = x->cpu();
  x.reset();
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

torch::Tensor lists_cleared() {
  std::vector<torch::Tensor> on_gpu, on_host;
  for (int i = 0; i < 4; ++i) on_gpu.push_back(torch::randn({8}, torch::kCUDA));
  for (auto& x : on_gpu) on_host.push_back(x.cpu());
  on_gpu.clear();
  auto work = heavy_work();
  for (auto& x : on_host) work = work + x.to(torch::kCUDA);
  return work;
}

torch::Tensor elements_reset(std::vector<torch::Tensor>& weights) {
  std::vector<torch::Tensor> parked;
  for (auto& weight : weights) {
    parked.push_back(weight.cpu());
    weight.reset();
  }
  auto work = heavy_work();
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = parked[i].to(torch::kCUDA);
  return work;
}

torch::Tensor erased() {
  std::map<std::string, torch::Tensor> kept;
  kept["x"] = torch::randn({8}, torch::kCUDA);
  auto host = kept["x"].cpu();
  kept.erase("x");
  auto work = heavy_work();
  return host.to(torch::kCUDA) + work;
}

struct Offloaded {
  explicit Offloaded(const torch::Tensor& weights) : weights(weights.to(torch::kCUDA)) {}
  void offload() {
    parked = weights.cpu();
    weights.reset();
  }
  void onload() {
    weights = parked.to(torch::kCUDA);
    parked.reset();
  }
  torch::Tensor step() {
    parked = weights.cpu();
    weights.reset();
    auto work = heavy_work();
    weights = parked.to(torch::kCUDA);
    return weights + work;
  }
  torch::Tensor weights, parked;
};

torch::Tensor offload_and_onload() {
  Offloaded layer(torch::randn({8}));
  layer.offload();
  auto work = heavy_work();
  layer.onload();
  return layer.weights + work + layer.step();
}
