#pragma once
// How long things take on an emulated machine, in nanoseconds: a small model of a data-centre GPU
// on PCIe 4. It orders and scales like the real thing and is the same on every machine and in every
// run; it does not predict a real GPU.

#include <cstdint>

namespace xfer::emulator::cost {

enum class Link { kPinned, kPageable, kDevice, kPeer, kHost };

/// On the device's copy engine, from the first byte to the last.
std::uint64_t copy_ns(Link link, std::uint64_t bytes);
std::uint64_t fill_ns(std::uint64_t bytes);
/// Of a kernel about which nothing but its shape is known.
std::uint64_t kernel_ns(std::uint64_t threads);
/// Of one whose threads do this much each, the more of what the device can compute and move.
std::uint64_t kernel_ns(std::uint64_t threads, std::uint64_t instructions, std::uint64_t bytes);
/// Of a kernel that exchanges data with other devices, by the bytes that a device's link carries.
std::uint64_t collective_ns(std::uint64_t bytes);
/// Of a matrix product.
std::uint64_t gemm_ns(double flops, double bytes);

// The calling thread's costs, besides waiting.
inline constexpr std::uint64_t kCallNs = 300;      ///< any call into the runtime
inline constexpr std::uint64_t kSubmitNs = 2'500;  ///< queueing work
inline constexpr std::uint64_t kSyncNs = 4'000;    ///< waking up after a wait
inline constexpr std::uint64_t kMallocNs = 60'000;
inline constexpr std::uint64_t kFreeNs = 40'000;
inline constexpr std::uint64_t kPoolNs = 1'000;      ///< stream-ordered allocation
inline constexpr std::uint64_t kPinNsPerPage = 250;  ///< cudaMallocHost, cudaHostRegister
/// From the call to the start on an idle device.
inline constexpr std::uint64_t kStartNs = 2'000;

}  // namespace xfer::emulator::cost
