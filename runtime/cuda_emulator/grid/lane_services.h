#pragma once
// The services of lanes whose warp runs as one: those that are asked lane by lane.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

const kernels::Services& lane_services();

}  // namespace xfer::emulator::grid
