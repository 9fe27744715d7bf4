#pragma once
// How much memory the machine has, and how much of it an emulated device has by default. A program
// that sizes itself by what cudaMemGetInfo says must not take more than there is.

#include <cstdint>
#include <string>

namespace xfer::emulator {

/// Bytes that this process may use: the machine's, or fewer where a cgroup allows fewer. 0: not
/// known. `root` is before the paths of /proc and /sys.
std::uint64_t memory_of_machine(const std::string& root = {});

/// Bytes of each device: half of what the machine has, shared among them, at most 16 GiB. Whole 64
/// MiB; 16 GiB where the machine's is not known.
std::uint64_t memory_of_device(std::uint64_t machine, int devices);

}  // namespace xfer::emulator
