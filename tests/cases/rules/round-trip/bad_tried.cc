// A handler around it is no reason: somebody reads what comes back.

#include <torch/torch.h>

float sum_of(const torch::Tensor& data) {
  try {
    auto there = data.cpu().to(torch::kCUDA);
    auto back = there.cpu();  // LINT: round-trip
    return back.sum().item<float>();
  } catch (...) {
    return 0;
  }
}
