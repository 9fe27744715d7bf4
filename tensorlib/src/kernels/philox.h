// Philox 4x32-10: a random generator without state. Counter in, four random words out.
// J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <cmath>
#include <cstdint>

#include "backend/kernel_args.h"
#include "tensorlib/half.h"

namespace tensorlib::kernels {

struct PhiloxWords {
  uint32_t word[4];
};

TENSORLIB_HOST_DEVICE inline PhiloxWords philox(uint64_t seed, uint64_t counter) {
  uint32_t c[4] = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0};
  uint32_t key[2] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53u} * c[0];
    const uint64_t b = uint64_t{0xCD9E8D57u} * c[2];
    const uint32_t next[4] = {
        static_cast<uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<uint32_t>(b),
        static_cast<uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<uint32_t>(a)};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return {{c[0], c[1], c[2], c[3]}};
}

// Element i (0 to 3) of a group of four numbers of a distribution; a and b as in RandomSpec.
TENSORLIB_HOST_DEVICE inline double random_number(const PhiloxWords& words, int i,
                                                  Distribution distribution, double a, double b) {
  // 24 bits: a float of [0, 1) that rounding cannot make 1.
  const double unit = (words.word[i] >> 8) * 0x1p-24;
  switch (distribution) {
    case Distribution::uniform: return a + unit * (b - a);
    case Distribution::bernoulli: return unit < a ? 0.0 : b;
    case Distribution::integer: {
      const uint64_t high = (uint64_t{words.word[i]} << 21) ^ (words.word[i ^ 1] >> 11);
      return a + floor((b - a) * (static_cast<double>(high) * 0x1p-53));
    }
    case Distribution::normal: {  // Box-Muller on a pair of words
      const double radius = ((words.word[i & 2] >> 8) + 1) * 0x1p-24;
      const double angle = (words.word[(i & 2) + 1] >> 8) * (0x1p-24 * 6.283185307179586);
      const float length = sqrtf(-2.0f * logf(static_cast<float>(radius)));
      const float direction =
          i & 1 ? sinf(static_cast<float>(angle)) : cosf(static_cast<float>(angle));
      return a + b * static_cast<double>(length * direction);
    }
  }
  return 0;
}

}  // namespace tensorlib::kernels
