// Copies to and from arrays, of two dimensions and (deprecated) of as many bytes as one says.

#include <cuda_runtime_api.h>

#include "cudart/array_copy.h"

using namespace xfer::emulator;

extern "C" {

// Each call exists twice: a null stream is the legacy one, or (…_ptsz, …_ptds) the thread's own.
// The one with a stream is asynchronous.

#define XFER_TO_ARRAY_2D(NAME, VERSIONED, MEANS, STREAM, ASYNC, ...)                               \
  cudaError_t NAME(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,               \
                   size_t spitch, size_t width, size_t height,                                     \
                   cudaMemcpyKind kind __VA_OPT__(, cudaStream_t) __VA_ARGS__) {                   \
    return XFER_CALL(VERSIONED, dst, wOffset, hOffset, src, spitch, width, height,                 \
                     kind __VA_OPT__(, ) __VA_ARGS__)                                              \
        .run([&](Session& session) {                                                               \
          const Corner to{dst, wOffset, hOffset};                                                  \
          return copy_rectangle(session, {.corner = &to}, {const_cast<void*>(src), spitch}, width, \
                                height, kind, session.machine.stream(STREAM, MEANS), ASYNC);       \
        });                                                                                        \
  }
XFER_TO_ARRAY_2D(cudaMemcpy2DToArray, cudaMemcpy2DToArray_v3020, DefaultStream::kLegacy, nullptr,
                 false)
XFER_TO_ARRAY_2D(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray_ptds_v7000,
                 DefaultStream::kPerThread, nullptr, false)
XFER_TO_ARRAY_2D(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync_v3020, DefaultStream::kLegacy,
                 stream, true, stream)
XFER_TO_ARRAY_2D(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync_ptsz_v7000,
                 DefaultStream::kPerThread, stream, true, stream)

#define XFER_FROM_ARRAY_2D(NAME, VERSIONED, MEANS, STREAM, ASYNC, ...)                          \
  cudaError_t NAME(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,             \
                   size_t hOffset, size_t width, size_t height,                                 \
                   cudaMemcpyKind kind __VA_OPT__(, cudaStream_t) __VA_ARGS__) {                \
    return XFER_CALL(VERSIONED, dst, dpitch, src, wOffset, hOffset, width, height,              \
                     kind __VA_OPT__(, ) __VA_ARGS__)                                           \
        .run([&](Session& session) {                                                            \
          const Corner from{src, wOffset, hOffset};                                             \
          return copy_rectangle(session, {dst, dpitch}, {.corner = &from}, width, height, kind, \
                                session.machine.stream(STREAM, MEANS), ASYNC);                  \
        });                                                                                     \
  }
XFER_FROM_ARRAY_2D(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_v3020, DefaultStream::kLegacy,
                   nullptr, false)
XFER_FROM_ARRAY_2D(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray_ptds_v7000,
                   DefaultStream::kPerThread, nullptr, false)
XFER_FROM_ARRAY_2D(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync_v3020,
                   DefaultStream::kLegacy, stream, true, stream)
XFER_FROM_ARRAY_2D(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync_ptsz_v7000,
                   DefaultStream::kPerThread, stream, true, stream)

#define XFER_TO_ARRAY(NAME, VERSIONED, MEANS, STREAM, ASYNC, ...)                                  \
  cudaError_t NAME(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count, \
                   cudaMemcpyKind kind __VA_OPT__(, cudaStream_t) __VA_ARGS__) {                   \
    return XFER_CALL(VERSIONED, dst, wOffset, hOffset, src, count,                                 \
                     kind __VA_OPT__(, ) __VA_ARGS__)                                              \
        .run([&](Session& session) {                                                               \
          const Corner to{dst, wOffset, hOffset};                                                  \
          return copy_run(session, {.corner = &to}, {const_cast<void*>(src), count}, count, kind,  \
                          session.machine.stream(STREAM, MEANS), ASYNC);                           \
        });                                                                                        \
  }
XFER_TO_ARRAY(cudaMemcpyToArray, cudaMemcpyToArray_v3020, DefaultStream::kLegacy, nullptr, false)
XFER_TO_ARRAY(cudaMemcpyToArray_ptds, cudaMemcpyToArray_ptds_v7000, DefaultStream::kPerThread,
              nullptr, false)
XFER_TO_ARRAY(cudaMemcpyToArrayAsync, cudaMemcpyToArrayAsync_v3020, DefaultStream::kLegacy, stream,
              true, stream)
XFER_TO_ARRAY(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync_ptsz_v7000,
              DefaultStream::kPerThread, stream, true, stream)

#define XFER_FROM_ARRAY(NAME, VERSIONED, MEANS, STREAM, ASYNC, ...)                                \
  cudaError_t NAME(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count, \
                   cudaMemcpyKind kind __VA_OPT__(, cudaStream_t) __VA_ARGS__) {                   \
    return XFER_CALL(VERSIONED, dst, src, wOffset, hOffset, count,                                 \
                     kind __VA_OPT__(, ) __VA_ARGS__)                                              \
        .run([&](Session& session) {                                                               \
          const Corner from{src, wOffset, hOffset};                                                \
          return copy_run(session, {dst, count}, {.corner = &from}, count, kind,                   \
                          session.machine.stream(STREAM, MEANS), ASYNC);                           \
        });                                                                                        \
  }
XFER_FROM_ARRAY(cudaMemcpyFromArray, cudaMemcpyFromArray_v3020, DefaultStream::kLegacy, nullptr,
                false)
XFER_FROM_ARRAY(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray_ptds_v7000, DefaultStream::kPerThread,
                nullptr, false)
XFER_FROM_ARRAY(cudaMemcpyFromArrayAsync, cudaMemcpyFromArrayAsync_v3020, DefaultStream::kLegacy,
                stream, true, stream)
XFER_FROM_ARRAY(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync_ptsz_v7000,
                DefaultStream::kPerThread, stream, true, stream)

#define XFER_ARRAY_TO_ARRAY_2D(NAME, VERSIONED, MEANS)                                            \
  cudaError_t NAME(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,  \
                   size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,             \
                   cudaMemcpyKind kind) {                                                         \
    return XFER_CALL(VERSIONED, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width,  \
                     height, kind)                                                                \
        .run([&](Session& session) {                                                              \
          const Corner to{dst, wOffsetDst, hOffsetDst};                                           \
          const Corner from{src, wOffsetSrc, hOffsetSrc};                                         \
          return copy_rectangle(session, {.corner = &to}, {.corner = &from}, width, height, kind, \
                                session.machine.stream(nullptr, MEANS), false);                   \
        });                                                                                       \
  }
XFER_ARRAY_TO_ARRAY_2D(cudaMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray_v3020,
                       DefaultStream::kLegacy)
XFER_ARRAY_TO_ARRAY_2D(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray_ptds_v7000,
                       DefaultStream::kPerThread)

#define XFER_ARRAY_TO_ARRAY(NAME, VERSIONED, MEANS)                                              \
  cudaError_t NAME(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, \
                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, cudaMemcpyKind kind) {    \
    return XFER_CALL(VERSIONED, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count, \
                     kind)                                                                       \
        .run([&](Session& session) {                                                             \
          const Corner to{dst, wOffsetDst, hOffsetDst};                                          \
          const Corner from{src, wOffsetSrc, hOffsetSrc};                                        \
          return copy_run(session, {.corner = &to}, {.corner = &from}, count, kind,              \
                          session.machine.stream(nullptr, MEANS), false);                        \
        });                                                                                      \
  }
XFER_ARRAY_TO_ARRAY(cudaMemcpyArrayToArray, cudaMemcpyArrayToArray_v3020, DefaultStream::kLegacy)
XFER_ARRAY_TO_ARRAY(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray_ptds_v7000,
                    DefaultStream::kPerThread)
}
