#pragma once
// Launches: what there is a version of runs when its stream gets there, any other kernel is skipped
// and counted.

#include <driver_types.h>

#include <cstddef>

#include "cudart/api_call.h"

namespace xfer::emulator {

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
};

/// `function`: a launch stub or a handle. `stream` may be null (no such stream).
cudaError_t launch(Session& session, const void* function, const LaunchShape& shape, void** args,
                   Stream* stream);

}  // namespace xfer::emulator
