#pragma once
// Copies and fills: checked where they are asked for, run when the stream gets there. Which of them
// wait for the device follows CUDA's rules for pageable, pinned and device memory.

#include <driver_types.h>

#include <cstddef>

#include "cudart/api_call.h"

namespace xfer::emulator {

/// `depth` slices of `height` rows of `width` bytes; a plain copy has one row.
struct Copy {
  void* destination;
  std::size_t destination_pitch;
  const void* source;
  std::size_t source_pitch;
  std::size_t width;
  std::size_t height;
  cudaMemcpyKind kind;
  std::size_t depth = 1;
  std::size_t destination_slice = 0;  ///< bytes from slice to slice
  std::size_t source_slice = 0;
  bool to_array = false;  ///< a CUDA array's memory
  bool from_array = false;
  bool takes_source = false;  ///< host memory, which is the program's again when the call returns
};

struct Fill {
  void* destination;
  std::size_t pitch;
  int value;
  std::size_t width;
  std::size_t height;
  std::size_t depth = 1;
  std::size_t slice = 0;
  unsigned value_bytes = 1;  ///< 1, 2 or 4, which divide the width
};

/// `stream` may be null (no such stream). async: the call is one of the …Async family.
cudaError_t copy(Session& session, const Copy& copy, Stream* stream, bool async);
cudaError_t fill(Session& session, const Fill& fill, Stream* stream, bool async);

}  // namespace xfer::emulator
