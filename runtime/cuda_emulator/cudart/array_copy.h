#pragma once
// Copies that have an array, or three dimensions, on one side: they become copies of rows.

#include <driver_types.h>

#include <cstddef>

#include "cudart/api_call.h"

namespace xfer::emulator {

/// A texel of an array's first slice: bytes across, rows down.
struct Corner {
  cudaArray_const_t array;
  std::size_t x_bytes;
  std::size_t y;
};

/// The source or the destination of one copy call: memory or an array.
struct CopySide {
  void* memory = nullptr;
  std::size_t pitch = 0;
  const Corner* corner = nullptr;  ///< not null: an array
};

/// `height` rows of `width` bytes.
cudaError_t copy_rectangle(Session& session, const CopySide& to, const CopySide& from,
                           std::size_t width, std::size_t height, cudaMemcpyKind kind,
                           Stream* stream, bool async);
/// So many bytes, in an array from row to row.
cudaError_t copy_run(Session& session, const CopySide& to, const CopySide& from, std::size_t bytes,
                     cudaMemcpyKind kind, Stream* stream, bool async);

/// cudaMemcpy3D. Null: cudaErrorInvalidValue.
cudaError_t copy_3d(Session& session, const cudaMemcpy3DParms* parameters, Stream* stream,
                    bool async);

}  // namespace xfer::emulator
