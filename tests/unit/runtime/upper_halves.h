#pragma once
// The upper halves of the vector registers, which code compiled with AVX must leave empty: on
// Intel's processors SSE code is slow otherwise.

#include <cstdint>
#include <string>

namespace xfer::test {

/// The first register whose upper half is not empty; nothing: there is none, or no AVX here.
inline std::string upper_half_in_use() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx") == 0) return {};
  std::uint64_t halves[16][2];
  // clang-format off
#define XFER_UPPER_HALF(number) "vextractf128 $1, %%ymm" #number ", 16*" #number "(%0)\n"
  __asm__ volatile(
      XFER_UPPER_HALF(0) XFER_UPPER_HALF(1) XFER_UPPER_HALF(2) XFER_UPPER_HALF(3)
      XFER_UPPER_HALF(4) XFER_UPPER_HALF(5) XFER_UPPER_HALF(6) XFER_UPPER_HALF(7)
      XFER_UPPER_HALF(8) XFER_UPPER_HALF(9) XFER_UPPER_HALF(10) XFER_UPPER_HALF(11)
      XFER_UPPER_HALF(12) XFER_UPPER_HALF(13) XFER_UPPER_HALF(14) XFER_UPPER_HALF(15)
      "vzeroupper\n" : : "r"(halves) : "memory");
#undef XFER_UPPER_HALF
  // clang-format on
  for (int i = 0; i < 16; ++i)
    if (halves[i][0] != 0 || halves[i][1] != 0) return "ymm" + std::to_string(i);
#endif
  return {};
}

}  // namespace xfer::test
