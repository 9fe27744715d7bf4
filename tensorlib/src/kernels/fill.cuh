// Kernels that fill and convert. CPU reference: backend/cpu/fill.cc.
#pragma once

#include "kernels/functors.h"
#include "kernels/launch.cuh"
#include "kernels/philox.h"
#include "tensorlib/scalar_type.h"

namespace tensorlib::kernels {

template <class T>
__global__ void fill_flat(T* out, T value, int64_t n) {
  TENSORLIB_GRID_LOOP(i, n) { out[i] = value; }
}

template <class T>
__global__ void fill_strided(T* out, T value, Geometry<1> g) {
  TENSORLIB_GRID_LOOP(i, g.numel) {
    int64_t at[1];
    offsets_of(g, i, at);
    out[at[0]] = value;
  }
}

template <class T>
__global__ void arange(T* out, int64_t n, double start, double step) {
  TENSORLIB_GRID_LOOP(i, n) { out[i] = convert<T>(start + static_cast<double>(i) * step); }
}

template <class T>
__global__ void random_fill(T* out, int64_t n, int distribution, uint64_t seed, uint64_t offset,
                            double a, double b) {
  TENSORLIB_GRID_LOOP(group, (n + 3) / 4) {
    const PhiloxWords words = philox(seed, offset + static_cast<uint64_t>(group));
    for (int i = 0; i < 4 && group * 4 + i < n; ++i) {
      out[group * 4 + i] =
          convert<T>(random_number(words, i, static_cast<Distribution>(distribution), a, b));
    }
  }
}

// Element `at` of an array whose type is known at run time.
template <class To>
__device__ inline To load_as(const void* in, ScalarType type, int64_t at) {
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return convert<To>(static_cast<const cpp*>(in)[at]);
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return To(0);
}

template <class To>
__global__ void convert_flat(To* out, const void* in, int from, int64_t n) {
  const auto type = static_cast<ScalarType>(from);
  TENSORLIB_GRID_LOOP(i, n) { out[i] = load_as<To>(in, type, i); }
}

template <class To>
__global__ void convert_strided(To* out, const void* in, int from, Geometry<2> g) {
  const auto type = static_cast<ScalarType>(from);
  TENSORLIB_GRID_LOOP(i, g.numel) {
    int64_t at[2];
    offsets_of(g, i, at);
    out[at[0]] = load_as<To>(in, type, at[1]);
  }
}

}  // namespace tensorlib::kernels
