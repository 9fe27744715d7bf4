#pragma once
// __device__ and __constant__ variables: memory on each device that uses them, zero at first (their
// initial values are in device code, which is not read).

#include <driver_types.h>

#include <cstddef>

#include "cudart/api_call.h"

namespace xfer::emulator {

/// The address of `bytes` bytes at `offset` of the variable, on the current device.
cudaError_t symbol_range(Session& session, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** address);

}  // namespace xfer::emulator
