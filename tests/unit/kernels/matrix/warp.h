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

/// The kernel `k` with so many addresses of global memory in %p0, %p1..., the lane in %lane (%wide
/// in 64 bits), and what `declarations` adds.
std::string kernel(unsigned parameters, const std::string& declarations, const std::string& body);

/// `{%a0, %a1}`
std::string registers(const std::string& name, unsigned count);

}  // namespace xfer::kernels::testing
