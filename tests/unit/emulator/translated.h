#pragma once
// Kernels as translated code looks to whoever runs them, but written by hand: functions that ask
// for services.

#include <cstddef>
#include <string>

#include "grid/launch.h"
#include "kernels/frame.h"

namespace xfer::emulator::grid {

struct Shape {
  dim3 grid = 1;
  dim3 block = 1;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  Heap* heap = nullptr;
  unsigned seconds = 0;
  bool cooperative = false;
  unsigned parties = 1;
};

template <typename Parameters>
std::string launch(kernels::Code::Run kernel, const Shape& shape, const Parameters& parameters) {
  kernels::Code code;
  code.run = kernel;
  code.parameter_bytes = sizeof(parameters);
  code.shared_bytes = shape.static_shared_bytes;
  code.local_bytes = shape.local_bytes;
  Launch launch;
  launch.code = &code;
  launch.parameters = reinterpret_cast<const std::byte*>(&parameters);
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  launch.heap = shape.heap;
  launch.seconds = shape.seconds;
  launch.parties = shape.parties;
  launch.workspace = shape.cooperative ? 1 : 0;
  return run(launch).what;
}

template <typename Parameters>
const Parameters& parameters_of(const kernels::Thread* thread) {
  return *reinterpret_cast<const Parameters*>(thread->block->parameters);
}

inline const kernels::Services& ask(const kernels::Thread* thread) {
  return *thread->block->services;
}

/// Over the grid, of a kernel with one dimension.
inline std::uint32_t global_index(const kernels::Thread* thread) {
  return thread->block->index[0] * thread->block->block_size[0] + thread->number;
}

inline constexpr std::uint32_t kAllLanes = 0xffffffff;

}  // namespace xfer::emulator::grid
