#pragma once
// Memory that streams allocate and free in their own order.

#include <cstddef>

#include "cudart/api_call.h"
#include "cudart/pool.h"

namespace xfer::emulator {

/// Of the current device.
cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes);
/// `pool` null: the current pool of the stream's device. A stream that is captured: of its graph.
cudaError_t allocate_in_stream(Session& session, void** pointer, std::size_t bytes,
                               MemoryPool* pool, Stream* stream);
cudaError_t free_in_stream(Session& session, void* pointer, Stream* stream);

}  // namespace xfer::emulator
