// Adam's step over plain arrays: one pass over memory, where the same made of tensor operations
// takes ten.
#pragma once

#include <cstdint>

namespace tensorlib::cpu {

struct AdamNumbers {
  double beta1, beta2;
  double correction2;  // sqrt(1 - beta2^steps)
  double eps;
  double rate;  // lr / (1 - beta1^steps)
};

// Each of n elements. `largest` is amsgrad's, or null.
template <class T>
void adam_step(T* parameter, const T* grad, T* mean, T* square, T* largest, int64_t n,
               const AdamNumbers& numbers);

}  // namespace tensorlib::cpu
