// cudaMemcpy…, cudaMemset… and the copies to and from device variables.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/symbols.h"
#include "cudart/transfer.h"

using namespace xfer::emulator;

namespace {

Copy plain(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return {dst, count, src, count, count, 1, kind};
}
Fill plain(void* dst, int value, size_t count) { return {dst, count, value, count, 1}; }

cudaError_t copy_2d(Session& session, const Copy& request, Stream* stream, bool async) {
  if (request.width > request.destination_pitch || request.width > request.source_pitch) {
    return cudaErrorInvalidPitchValue;
  }
  return copy(session, request, stream, async);
}
cudaError_t fill_2d(Session& session, const Fill& request, Stream* stream, bool async) {
  if (request.width > request.pitch) return cudaErrorInvalidPitchValue;
  return fill(session, request, stream, async);
}

cudaError_t copy_to_symbol(Session& session, const void* symbol, const void* src, size_t count,
                           size_t offset, cudaMemcpyKind kind, Stream* stream, bool async) {
  void* address = nullptr;
  if (const auto error = symbol_range(session, symbol, offset, count, &address);
      error != cudaSuccess) {
    return error;
  }
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  return copy(session, plain(address, src, count, kind), stream, async);
}
cudaError_t copy_from_symbol(Session& session, void* dst, const void* symbol, size_t count,
                             size_t offset, cudaMemcpyKind kind, Stream* stream, bool async) {
  void* address = nullptr;
  if (const auto error = symbol_range(session, symbol, offset, count, &address);
      error != cudaSuccess) {
    return error;
  }
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  return copy(session, plain(dst, address, count, kind), stream, async);
}

cudaError_t copy_peer(Session& session, void* dst, int dst_device, const void* src, int src_device,
                      size_t count, Stream* stream, bool async) {
  const int devices = session.machine.device_count();
  if (dst_device < 0 || dst_device >= devices || src_device < 0 || src_device >= devices) {
    return cudaErrorInvalidDevice;
  }
  return copy(session, plain(dst, src, count, cudaMemcpyDefault), stream, async);
}

}  // namespace

extern "C" {

// Each call exists twice: a null stream is the legacy one, or (…_ptsz, …_ptds) the thread's own.

#define XFER_COPY(NAME, VERSIONED, MEANS)                                                        \
  cudaError_t NAME(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {              \
    return XFER_CALL(VERSIONED, dst, src, count, kind).run([&](Session& session) {               \
      return copy(session, plain(dst, src, count, kind), session.machine.stream(nullptr, MEANS), \
                  false);                                                                        \
    });                                                                                          \
  }
XFER_COPY(cudaMemcpy, cudaMemcpy_v3020, DefaultStream::kLegacy)
XFER_COPY(cudaMemcpy_ptds, cudaMemcpy_ptds_v7000, DefaultStream::kPerThread)

#define XFER_COPY_ASYNC(NAME, VERSIONED, MEANS)                                                 \
  cudaError_t NAME(void* dst, const void* src, size_t count, cudaMemcpyKind kind,               \
                   cudaStream_t stream) {                                                       \
    return XFER_CALL(VERSIONED, dst, src, count, kind, stream).run([&](Session& session) {      \
      return copy(session, plain(dst, src, count, kind), session.machine.stream(stream, MEANS), \
                  true);                                                                        \
    });                                                                                         \
  }
XFER_COPY_ASYNC(cudaMemcpyAsync, cudaMemcpyAsync_v3020, DefaultStream::kLegacy)
XFER_COPY_ASYNC(cudaMemcpyAsync_ptsz, cudaMemcpyAsync_ptsz_v7000, DefaultStream::kPerThread)

#define XFER_COPY_2D(NAME, VERSIONED, MEANS)                                               \
  cudaError_t NAME(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, \
                   size_t height, cudaMemcpyKind kind) {                                   \
    return XFER_CALL(VERSIONED, dst, dpitch, src, spitch, width, height, kind)             \
        .run([&](Session& session) {                                                       \
          return copy_2d(session, {dst, dpitch, src, spitch, width, height, kind},         \
                         session.machine.stream(nullptr, MEANS), false);                   \
        });                                                                                \
  }
XFER_COPY_2D(cudaMemcpy2D, cudaMemcpy2D_v3020, DefaultStream::kLegacy)
XFER_COPY_2D(cudaMemcpy2D_ptds, cudaMemcpy2D_ptds_v7000, DefaultStream::kPerThread)

#define XFER_COPY_2D_ASYNC(NAME, VERSIONED, MEANS)                                         \
  cudaError_t NAME(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, \
                   size_t height, cudaMemcpyKind kind, cudaStream_t stream) {              \
    return XFER_CALL(VERSIONED, dst, dpitch, src, spitch, width, height, kind, stream)     \
        .run([&](Session& session) {                                                       \
          return copy_2d(session, {dst, dpitch, src, spitch, width, height, kind},         \
                         session.machine.stream(stream, MEANS), true);                     \
        });                                                                                \
  }
XFER_COPY_2D_ASYNC(cudaMemcpy2DAsync, cudaMemcpy2DAsync_v3020, DefaultStream::kLegacy)
XFER_COPY_2D_ASYNC(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync_ptsz_v7000, DefaultStream::kPerThread)

#define XFER_COPY_TO_SYMBOL(NAME, VERSIONED, MEANS)                                           \
  cudaError_t NAME(const void* symbol, const void* src, size_t count, size_t offset,          \
                   cudaMemcpyKind kind) {                                                     \
    return XFER_CALL(VERSIONED, symbol, src, count, offset, kind).run([&](Session& session) { \
      return copy_to_symbol(session, symbol, src, count, offset, kind,                        \
                            session.machine.stream(nullptr, MEANS), false);                   \
    });                                                                                       \
  }
XFER_COPY_TO_SYMBOL(cudaMemcpyToSymbol, cudaMemcpyToSymbol_v3020, DefaultStream::kLegacy)
XFER_COPY_TO_SYMBOL(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol_ptds_v7000,
                    DefaultStream::kPerThread)

#define XFER_COPY_TO_SYMBOL_ASYNC(NAME, VERSIONED, MEANS)                            \
  cudaError_t NAME(const void* symbol, const void* src, size_t count, size_t offset, \
                   cudaMemcpyKind kind, cudaStream_t stream) {                       \
    return XFER_CALL(VERSIONED, symbol, src, count, offset, kind, stream)            \
        .run([&](Session& session) {                                                 \
          return copy_to_symbol(session, symbol, src, count, offset, kind,           \
                                session.machine.stream(stream, MEANS), true);        \
        });                                                                          \
  }
XFER_COPY_TO_SYMBOL_ASYNC(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_v3020,
                          DefaultStream::kLegacy)
XFER_COPY_TO_SYMBOL_ASYNC(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync_ptsz_v7000,
                          DefaultStream::kPerThread)

#define XFER_COPY_FROM_SYMBOL(NAME, VERSIONED, MEANS)                                         \
  cudaError_t NAME(void* dst, const void* symbol, size_t count, size_t offset,                \
                   cudaMemcpyKind kind) {                                                     \
    return XFER_CALL(VERSIONED, dst, symbol, count, offset, kind).run([&](Session& session) { \
      return copy_from_symbol(session, dst, symbol, count, offset, kind,                      \
                              session.machine.stream(nullptr, MEANS), false);                 \
    });                                                                                       \
  }
XFER_COPY_FROM_SYMBOL(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_v3020, DefaultStream::kLegacy)
XFER_COPY_FROM_SYMBOL(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol_ptds_v7000,
                      DefaultStream::kPerThread)

#define XFER_COPY_FROM_SYMBOL_ASYNC(NAME, VERSIONED, MEANS)                     \
  cudaError_t NAME(void* dst, const void* symbol, size_t count, size_t offset,  \
                   cudaMemcpyKind kind, cudaStream_t stream) {                  \
    return XFER_CALL(VERSIONED, dst, symbol, count, offset, kind, stream)       \
        .run([&](Session& session) {                                            \
          return copy_from_symbol(session, dst, symbol, count, offset, kind,    \
                                  session.machine.stream(stream, MEANS), true); \
        });                                                                     \
  }
XFER_COPY_FROM_SYMBOL_ASYNC(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_v3020,
                            DefaultStream::kLegacy)
XFER_COPY_FROM_SYMBOL_ASYNC(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync_ptsz_v7000,
                            DefaultStream::kPerThread)

#define XFER_FILL(NAME, VERSIONED, MEANS)                                                    \
  cudaError_t NAME(void* dst, int value, size_t count) {                                     \
    return XFER_CALL(VERSIONED, dst, value, count).run([&](Session& session) {               \
      return fill(session, plain(dst, value, count), session.machine.stream(nullptr, MEANS), \
                  false);                                                                    \
    });                                                                                      \
  }
XFER_FILL(cudaMemset, cudaMemset_v3020, DefaultStream::kLegacy)
XFER_FILL(cudaMemset_ptds, cudaMemset_ptds_v7000, DefaultStream::kPerThread)

#define XFER_FILL_ASYNC(NAME, VERSIONED, MEANS)                                                    \
  cudaError_t NAME(void* dst, int value, size_t count, cudaStream_t stream) {                      \
    return XFER_CALL(VERSIONED, dst, value, count, stream).run([&](Session& session) {             \
      return fill(session, plain(dst, value, count), session.machine.stream(stream, MEANS), true); \
    });                                                                                            \
  }
XFER_FILL_ASYNC(cudaMemsetAsync, cudaMemsetAsync_v3020, DefaultStream::kLegacy)
XFER_FILL_ASYNC(cudaMemsetAsync_ptsz, cudaMemsetAsync_ptsz_v7000, DefaultStream::kPerThread)

#define XFER_FILL_2D(NAME, VERSIONED, MEANS)                                                  \
  cudaError_t NAME(void* dst, size_t pitch, int value, size_t width, size_t height) {         \
    return XFER_CALL(VERSIONED, dst, pitch, value, width, height).run([&](Session& session) { \
      return fill_2d(session, {dst, pitch, value, width, height},                             \
                     session.machine.stream(nullptr, MEANS), false);                          \
    });                                                                                       \
  }
XFER_FILL_2D(cudaMemset2D, cudaMemset2D_v3020, DefaultStream::kLegacy)
XFER_FILL_2D(cudaMemset2D_ptds, cudaMemset2D_ptds_v7000, DefaultStream::kPerThread)

#define XFER_FILL_2D_ASYNC(NAME, VERSIONED, MEANS)                                  \
  cudaError_t NAME(void* dst, size_t pitch, int value, size_t width, size_t height, \
                   cudaStream_t stream) {                                           \
    return XFER_CALL(VERSIONED, dst, pitch, value, width, height, stream)           \
        .run([&](Session& session) {                                                \
          return fill_2d(session, {dst, pitch, value, width, height},               \
                         session.machine.stream(stream, MEANS), true);              \
        });                                                                         \
  }
XFER_FILL_2D_ASYNC(cudaMemset2DAsync, cudaMemset2DAsync_v3020, DefaultStream::kLegacy)
XFER_FILL_2D_ASYNC(cudaMemset2DAsync_ptsz, cudaMemset2DAsync_ptsz_v7000, DefaultStream::kPerThread)

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  return XFER_CALL(cudaMemcpyPeer_v4000, dst, dstDevice, src, srcDevice, count)
      .run([&](Session& session) {
        return copy_peer(session, dst, dstDevice, src, srcDevice, count,
                         session.machine.stream(nullptr, DefaultStream::kLegacy), false);
      });
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                size_t count, cudaStream_t stream) {
  return XFER_CALL(cudaMemcpyPeerAsync_v4000, dst, dstDevice, src, srcDevice, count, stream)
      .run([&](Session& session) {
        return copy_peer(session, dst, dstDevice, src, srcDevice, count,
                         session.machine.stream(stream, DefaultStream::kLegacy), true);
      });
}
}
