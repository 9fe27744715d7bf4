#pragma once
// Runs a kernel of a text of PTX for one warp: each lane is a thread of this process.

#include <cstdint>
#include <string>
#include <vector>

namespace xfer::kernels::testing {

/// Runs the kernel `k`, whose parameters are addresses of this process. Throws std::runtime_error
/// when it cannot be run.
void run_warp(const std::string& ptx, const std::vector<const void*>& parameters);

/// Why `k` cannot be run; nothing: it can.
std::string refusal(const std::string& ptx);

/// Why it cannot be run for a warp at once.
std::string refusal_in_step(const std::string& ptx);

/// Its instructions whose result may differ in the last bits.
std::vector<std::string> approximate(const std::string& ptx);

}  // namespace xfer::kernels::testing
