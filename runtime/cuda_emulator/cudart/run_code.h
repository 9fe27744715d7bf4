#pragma once
// A grid of translated code on a device: with the device's memory, heap and clock.

#include <string>

#include "grid/launch.h"
#include "machine/machine.h"

namespace xfer::emulator {

/// Fills in what the machine knows, and runs it. `correlation`: of the launch. With the machine's
/// lock held.
grid::Failure run_code(Machine& machine, int device, grid::Launch launch, bool cooperative,
                       std::uint32_t correlation);

}  // namespace xfer::emulator
