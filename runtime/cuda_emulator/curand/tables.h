#pragma once
// The tables of Sobol's quasirandom numbers. They are NVIDIA's, and too large to be made here: they
// are read out of its own libcurand, where there is one.

#include <curand.h>

#include <cstdint>

namespace xfer::emulator {

/// The tables that make the numbers of a dimension.
struct SobolTables {
  const void* directions = nullptr;  ///< of each dimension: 32 words, or 64 of 64 bits if `wide`
  const void* constants = nullptr;   ///< by which scrambled ones differ; null: they are plain
  bool wide = false;
};

/// Its numbers have 64 bits.
constexpr bool is_wide(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

inline constexpr std::uint32_t kMostDimensions = 20'000;

/// Of a quasirandom generator. False: there is no libcurand of NVIDIA's; says so once.
bool find_tables(curandRngType_t type, SobolTables* tables);

/// A function of NVIDIA's libcurand, looked for beside what CUDA_PATH, CUDA_HOME and
/// LD_LIBRARY_PATH name, and where toolkits are mostly; null: not there.
void* nvidia_function(const char* name);

}  // namespace xfer::emulator
