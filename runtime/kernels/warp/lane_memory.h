#pragma once
// Loads and stores of lanes that are at places without an order, as the code of a warp calls them:
// once in this library, and not again in the code of each kernel.

#include <cstdint>
#include <span>

#include "kernels/support.h"

namespace xfer::kernels::warp {

/// xfer_lanes_load_N and xfer_lanes_store_N, of N bytes a lane. They take the addresses of kLanes
/// lanes, as code reaches them, the mask of those that are there (others get 0), and the lanes'
/// values.
/// xfer_steps_load_N and xfer_steps_store_N take the place of lane 0, the bytes from there to the
/// next lane's, the mask, and the values.
std::span<const SupportFunction> lane_memory_functions();

}  // namespace xfer::kernels::warp
