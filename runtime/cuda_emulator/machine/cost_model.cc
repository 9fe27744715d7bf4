#include "machine/cost_model.h"

#include <algorithm>

namespace xfer::emulator::cost {
namespace {

// Bytes per nanosecond are GB/s.
constexpr double kPinnedRate = 24.0;
constexpr double kPageableRate = 6.0;
constexpr double kPeerRate = 20.0;
constexpr double kHbmRate = 1500.0;
constexpr double kHostRate = 10.0;
constexpr double kFlopsPerNs = 20'000.0;
constexpr double kInstructionsPerNs = 132 * 128 * 1.7;  // of threads: an H100's lanes and clock
constexpr std::uint64_t kLaunchNs = 2'000;

std::uint64_t transfer(std::uint64_t latency, double bytes, double rate) {
  return latency + static_cast<std::uint64_t>(bytes / rate);
}

}  // namespace

std::uint64_t copy_ns(Link link, std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  switch (link) {
    case Link::kPinned: return transfer(1'300, size, kPinnedRate);
    case Link::kPageable: return transfer(5'000, size, kPageableRate);
    case Link::kPeer: return transfer(2'000, size, kPeerRate);
    case Link::kDevice: return transfer(1'200, 2 * size, kHbmRate);  // read and written
    case Link::kHost: return transfer(500, size, kHostRate);
  }
  return 0;
}

std::uint64_t fill_ns(std::uint64_t bytes) {
  return transfer(1'000, static_cast<double>(bytes), kHbmRate);
}

std::uint64_t kernel_ns(std::uint64_t threads) {
  return transfer(kLaunchNs, 12.0 * static_cast<double>(threads), kHbmRate);  // as a vector add
}

std::uint64_t kernel_ns(std::uint64_t threads, std::uint64_t instructions, std::uint64_t bytes) {
  const auto all = static_cast<double>(threads);
  return kLaunchNs + static_cast<std::uint64_t>(
                         std::max(all * static_cast<double>(instructions) / kInstructionsPerNs,
                                  all * static_cast<double>(bytes) / kHbmRate));
}

std::uint64_t collective_ns(std::uint64_t bytes) {
  return transfer(10'000, static_cast<double>(bytes), kPeerRate);
}

std::uint64_t gemm_ns(double flops, double bytes) {
  return 3'000 + static_cast<std::uint64_t>(std::max(flops / kFlopsPerNs, bytes / kHbmRate));
}

}  // namespace xfer::emulator::cost
