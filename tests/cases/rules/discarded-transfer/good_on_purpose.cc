// A cast to void says that the result is not wanted; what is not evaluated copies nothing.

#include <torch/torch.h>

#include <utility>

void warm_up(torch::Tensor x, torch::Device device) {
  (void)x.to(device);
  static_cast<void>(x.to(device));
  [[maybe_unused]] auto moved = x.to(device);
}

using Moved = decltype(std::declval<torch::Tensor>().to(torch::kCUDA));
static_assert(sizeof(std::declval<torch::Tensor>().cpu()) == sizeof(Moved));

template <class T>
void never_instantiated(T value, torch::Device device) {
  value.to(device);
}

void timed(torch::Tensor x, torch::Device device) {
  x.to(device);
  torch::cuda::synchronize();
}
