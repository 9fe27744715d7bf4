#pragma once
// The time that kernels read. It moves when it is read, so it is the same in each run, and moves
// faster the longer a thread does nothing but read it: a kernel that waits for a second by the
// clock is over soon.

#include <algorithm>
#include <cstdint>

namespace xfer::emulator::grid {

class Clock {
 public:
  static constexpr std::uint64_t kCyclesPerNs = 2;

  /// Never goes back, over all grids.
  void reach(std::uint64_t ns) { cycles_ = std::max(cycles_, ns * kCyclesPerNs); }
  void reach(const Clock& other) { cycles_ = std::max(cycles_, other.cycles_); }
  void spend(std::uint64_t ns) { cycles_ += ns * kCyclesPerNs; }
  /// Cycles, when a thread reads them that has read `reads` times before in a row.
  std::uint64_t read(unsigned reads) {
    constexpr unsigned kPatience = 64;  // reads at the same pace
    constexpr unsigned kFastest = 20;
    cycles_ += std::uint64_t{16} << std::min(reads / kPatience, kFastest);
    return cycles_;
  }

 private:
  std::uint64_t cycles_ = 0;
};

}  // namespace xfer::emulator::grid
