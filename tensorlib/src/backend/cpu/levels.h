// The levels of instructions that loops.h is compiled for.
#pragma once

#include <cstdlib>
#include <string_view>

#include "backend/cpu/cpu_backend.h"

namespace tensorlib::cpu {

namespace baseline {  // what every processor of the kind has
CpuBackend* make_backend();
}
#ifdef TENSORLIB_HAVE_AVX2
namespace avx2 {  // x86-64-v3: AVX2, FMA, F16C
CpuBackend* make_backend();
}
#endif

/// A backend of the best level that this machine has; of the lowest where
/// TENSORLIB_CPU_LEVEL=baseline is in the environment, to try that one.
inline CpuBackend* make_backend() {
#ifdef TENSORLIB_HAVE_AVX2
  const char* const asked = std::getenv("TENSORLIB_CPU_LEVEL");
  const bool lowest = asked != nullptr && std::string_view(asked) == "baseline";
  if (!lowest && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2")) {
    return avx2::make_backend();
  }
#endif
  return baseline::make_backend();
}

}  // namespace tensorlib::cpu
