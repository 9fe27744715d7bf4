#include "backend/cpu/adam.h"

#include <cmath>

#include "backend/cpu/parallel.h"

namespace tensorlib::cpu {

namespace {

template <bool amsgrad, class T>
void step(T* __restrict parameter, const T* __restrict grad, T* __restrict mean,
          T* __restrict square, T* __restrict largest, int64_t n, const AdamNumbers& numbers) {
  const T keep1 = static_cast<T>(numbers.beta1), take1 = static_cast<T>(1 - numbers.beta1);
  const T keep2 = static_cast<T>(numbers.beta2), take2 = static_cast<T>(1 - numbers.beta2);
  const T correction = static_cast<T>(1 / numbers.correction2);
  const T eps = static_cast<T>(numbers.eps), rate = static_cast<T>(numbers.rate);
  for (int64_t i = 0; i < n; ++i) {
    const T g = grad[i];
    const T m = mean[i] * keep1 + take1 * g;
    const T s = square[i] * keep2 + take2 * (g * g);
    mean[i] = m;
    square[i] = s;
    T scale = s;
    if constexpr (amsgrad) {
      // A NaN stays one, as it does in maximum().
      scale = largest[i] >= s || largest[i] != largest[i] ? largest[i] : s;
      largest[i] = scale;
    }
    parameter[i] -= rate * (m / (std::sqrt(scale) * correction + eps));
  }
}

}  // namespace

template <class T>
void adam_step(T* parameter, const T* grad, T* mean, T* square, T* largest, int64_t n,
               const AdamNumbers& numbers) {
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    if (largest != nullptr) {
      step<true>(parameter + begin, grad + begin, mean + begin, square + begin, largest + begin,
                 end - begin, numbers);
    } else {
      step<false>(parameter + begin, grad + begin, mean + begin, square + begin,
                  static_cast<T*>(nullptr), end - begin, numbers);
    }
  });
}
template void adam_step(float*, const float*, float*, float*, float*, int64_t, const AdamNumbers&);
template void adam_step(double*, const double*, double*, double*, double*, int64_t,
                        const AdamNumbers&);

}  // namespace tensorlib::cpu
