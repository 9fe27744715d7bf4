#include "grid/launch.h"

namespace xfer::emulator::grid {

kernels::Block block_of(const Launch& launch, const kernels::Services& services,
                        std::byte* shared) {
  kernels::Block block;
  block.services = &services;
  block.shared = shared;
  block.parameters = launch.parameters;
  block.variables = launch.variables;
  block.device_base = launch.device_base;
  block.device_span = launch.device_span;
  block.shared_bytes = launch.shared_bytes();
  block.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  const unsigned sizes[3] = {launch.block.x, launch.block.y, launch.block.z};
  const unsigned counts[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (unsigned part = 0; part < 3; ++part) {
    block.block_size[part] = sizes[part];
    block.grid_size[part] = counts[part];
  }
  block.grid_number = launch.number;
  block.grid_workspace = launch.workspace;
  block.touches = launch.touches;
  return block;
}

}  // namespace xfer::emulator::grid
