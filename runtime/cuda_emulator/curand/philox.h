#pragma once
// Philox4x32-10, a generator whose n-th output depends on nothing but n and the seed: Salmon and
// others, "Parallel random numbers: as easy as 1, 2, 3" (2011).

#include <array>
#include <cstdint>

namespace xfer::emulator {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// `counter`: which block, of 128 bits, lowest word first.
constexpr PhiloxBlock philox(std::uint64_t seed, PhiloxBlock counter) {
  constexpr int kRounds = 10;
  std::uint32_t key0 = static_cast<std::uint32_t>(seed);
  std::uint32_t key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t third = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(third >> 32) ^ counter[1] ^ key0,
               static_cast<std::uint32_t>(third),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key1,
               static_cast<std::uint32_t>(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

/// The words of one block after another, as the standard library's distributions take them.
class PhiloxWords {
 public:
  using result_type = std::uint32_t;
  /// Of the number at this place of a sequence: others have other words.
  PhiloxWords(std::uint64_t seed, std::uint64_t place) : seed_(seed), place_(place) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xFFFFFFFF; }
  result_type operator()() {
    if (next_ == block_.size()) {
      block_ = philox(seed_, {static_cast<std::uint32_t>(place_),
                              static_cast<std::uint32_t>(place_ >> 32), blocks_++, 0});
      next_ = 0;
    }
    return block_[next_++];
  }
  std::uint64_t wide() {
    const std::uint64_t low = (*this)();
    return low | std::uint64_t{(*this)()} << 32;
  }

 private:
  std::uint64_t seed_, place_;
  std::uint32_t blocks_ = 0;
  PhiloxBlock block_{};
  std::size_t next_ = 4;
};

}  // namespace xfer::emulator
