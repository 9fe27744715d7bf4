#pragma once
// Random numbers in memory: on a device as a kernel, so that streams order it, or at once.

#include <curand.h>

#include <cstdint>

namespace xfer::emulator {

enum class Distribution : int { kBits, kUniform, kNormal, kLogNormal, kPoisson };

struct Fill {
  Distribution distribution = Distribution::kBits;
  void* numbers = nullptr;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
  std::uint64_t first = 0;  ///< its place in the generator's sequence
  double mean = 0;          ///< of the normal one inside, or Poisson's
  double deviation = 1;
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  std::uint32_t dimensions = 1;  ///< of quasirandom ones, one behind the other
};

/// Number is unsigned int, unsigned long long, float or double.
template <typename Number>
curandStatus_t fill_device(const Fill& fill, cudaStream_t stream);
template <typename Number>
void fill_host(const Fill& fill);

}  // namespace xfer::emulator
