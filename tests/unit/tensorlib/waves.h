// Numbers for layers: all different, none large, and the same in every run.
#pragma once

#include <tensorlib/tensorlib.h>

#include <cstdint>

namespace tensorlib::testing {

inline Tensor wave(IntArrayRef sizes, double step, Device device) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  return (arange(n, kDouble) * step).sin().view(sizes).to(device);
}

// Moves a layer to `device`, in double precision, and gives each of its parameters numbers of its
// own.
template <class Layer>
void set_up(Layer& layer, Device device) {
  layer->to(device, kDouble);
  NoGradGuard no_grad;
  double step = 0.3;
  for (const Tensor& parameter : layer->parameters()) {
    parameter.copy_(wave(parameter.sizes(), step += 0.1, device));
  }
}

}  // namespace tensorlib::testing
