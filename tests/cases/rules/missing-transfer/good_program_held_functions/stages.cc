#include "stages.h"

void KeptHook::set(KeptStep hook) { hook_ = std::move(hook); }

torch::Tensor KeptHook::run(torch::Tensor x) const { return hook_(x); }

KeptStep kept_by_name(const std::string& name) {
  if (name == "cpu") return [](torch::Tensor x) { return x.cpu(); };
  return [](torch::Tensor x) { return x; };
}

torch::Tensor kept_scale(torch::Tensor x) {
  auto scale = torch::arange(3, torch::kFloat).to(x.device());
  return x * scale;
}

// One call gives it a tensor on the CPU.
torch::Tensor kept_on_both(torch::Tensor x) { return x.is_cuda() ? x + 1 : x * torch::ones({3}); }

// It is given away, besides: nobody knows all of its calls.
torch::Tensor kept_in_threads(torch::Tensor x) { return x * torch::ones({3}); }
