// Batch norm of [n, c, inner]: one scale and one shift per channel, planes in parallel.
#include <cmath>

#include "backend/cpu/loops.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

namespace {

// The sum of f(i) for i in [0, n), in several running sums: vector code.
template <class F>
double sum_of(int64_t n, const F& f) {
  constexpr int kLanes = 16;
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += f(i + lane);
  }
  for (; i < n; ++i) lanes[0] += f(i);
  double total = 0;
  for (const double lane : lanes) total += lane;
  return total;
}

// The same over the planes of channel c; f gets the place of an element.
template <class F>
double sum_of_channel(const BatchNormShape& shape, int64_t c, const F& f) {
  double total = 0;
  for (int64_t n = 0; n < shape.n; ++n) {
    const int64_t at = (n * shape.c + c) * shape.inner;
    total += sum_of(shape.inner, [&f, at](int64_t i) { return f(at + i); });
  }
  return total;
}

}  // namespace

void Loops::batch_stats(ScalarType type, const BatchNormShape& shape, void* mean, void* variance,
                        const void* input) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* in = static_cast<const T*>(input);
    const double count = static_cast<double>(shape.n * shape.inner);
    parallel_for(
        shape.c, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, shape.n * shape.inner)),
        [&](int64_t begin, int64_t end) {
          for (int64_t c = begin; c < end; ++c) {
            // Two passes: the variance of large means would be lost in one.
            const double average =
                sum_of_channel(shape, c, [in](int64_t i) { return static_cast<double>(in[i]); }) /
                count;
            const double squares = sum_of_channel(shape, c, [in, average](int64_t i) {
              const double difference = static_cast<double>(in[i]) - average;
              return difference * difference;
            });
            static_cast<T*>(mean)[c] = static_cast<T>(average);
            static_cast<T*>(variance)[c] = static_cast<T>(squares / count);
          }
        });
  });
}

void Loops::batch_norm(ScalarType type, const BatchNormShape& shape, void* out, const void* input,
                       const BatchNormStats& stats) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = kernels::Compute<T>;
    const auto channel = [](const void* values, int64_t c, C otherwise) {
      return values == nullptr ? otherwise : static_cast<C>(static_cast<const T*>(values)[c]);
    };
    parallel_for(
        shape.n * shape.c, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, shape.inner)),
        [&](int64_t begin, int64_t end) {
          for (int64_t plane = begin; plane < end; ++plane) {
            const int64_t c = plane % shape.c;
            const C scale = channel(stats.weight, c, 1) /
                            std::sqrt(channel(stats.variance, c, 1) + static_cast<C>(shape.eps));
            const C shift = channel(stats.bias, c, 0) - channel(stats.mean, c, 0) * scale;
            const T* from = static_cast<const T*>(input) + plane * shape.inner;
            T* to = static_cast<T*>(out) + plane * shape.inner;
            for (int64_t i = 0; i < shape.inner; ++i) {
              to[i] = static_cast<T>(static_cast<C>(from[i]) * scale + shift);
            }
          }
        });
  });
}

// With y = (x - mean) * s * weight + bias and s = 1 / sqrt(variance + eps).
void Loops::batch_norm_gradient(ScalarType type, const BatchNormShape& shape, bool training,
                                const BatchNormGradient& out, const void* grad, const void* input,
                                const BatchNormStats& stats) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const g = static_cast<const T*>(grad);
    const T* const x = static_cast<const T*>(input);
    const double count = static_cast<double>(shape.n * shape.inner);
    parallel_for(
        shape.c, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, shape.n * shape.inner)),
        [&](int64_t begin, int64_t end) {
          for (int64_t c = begin; c < end; ++c) {
            const double mean = static_cast<double>(static_cast<const T*>(stats.mean)[c]);
            const double s =
                1 / std::sqrt(static_cast<double>(static_cast<const T*>(stats.variance)[c]) +
                              shape.eps);
            const double sum =
                sum_of_channel(shape, c, [g](int64_t i) { return static_cast<double>(g[i]); });
            const double weighted =
                s * sum_of_channel(shape, c, [g, x, mean](int64_t i) {
                  return static_cast<double>(g[i]) * (static_cast<double>(x[i]) - mean);
                });
            if (out.weight != nullptr) static_cast<T*>(out.weight)[c] = static_cast<T>(weighted);
            if (out.bias != nullptr) static_cast<T*>(out.bias)[c] = static_cast<T>(sum);
            if (out.input == nullptr) continue;
            // grad * scale, less what the batch's mean and variance take: shift + slope * x
            using C = kernels::Compute<T>;
            const double weight = stats.weight == nullptr
                                      ? 1
                                      : static_cast<double>(static_cast<const T*>(stats.weight)[c]);
            const double part = training ? 1 / count : 0;
            const C scale = static_cast<C>(s * weight);
            const C slope = static_cast<C>(-s * weight * weighted * part * s);
            const C shift = static_cast<C>(-s * weight * sum * part);
            const C centre = static_cast<C>(mean);
            for (int64_t n = 0; n < shape.n; ++n) {
              const int64_t at = (n * shape.c + c) * shape.inner;
              T* const to = static_cast<T*>(out.input);
              for (int64_t i = at; i < at + shape.inner; ++i) {
                to[i] = static_cast<T>(static_cast<C>(g[i]) * scale +
                                       (static_cast<C>(x[i]) - centre) * slope + shift);
              }
            }
          }
        });
  });
}

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL
