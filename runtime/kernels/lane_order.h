#pragma once
// Kernels that count on the lanes of a warp going in step: one lane reads what another has stored,
// and no barrier is between. The last steps of reductions are often written so, in shared memory
// and in the device's. The ISA promises nothing there, and devices do as expected; threads that run
// one after the other do not.

#include "ptx/module.h"

namespace xfer::kernels {

/// Lanes come together there.
bool lanes_meet(const ptx::Instruction& instruction);

/// From a store to shared memory, or a volatile one to any, a load of it can be reached without a
/// barrier, a shuffle or a vote on the way. Of its own instructions, not of functions that it
/// calls.
bool counts_on_lane_order(const ptx::Body& body);

}  // namespace xfer::kernels
