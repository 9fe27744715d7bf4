// Copies and fills of three dimensions.

#include <cuda_runtime_api.h>

#include "cudart/array_copy.h"
#include "cudart/transfer.h"

using namespace xfer::emulator;

namespace {

cudaError_t copy_peer_3d(Session& session, const cudaMemcpy3DPeerParms* p, Stream* stream,
                         bool async) {
  if (p == nullptr) return cudaErrorInvalidValue;
  const int devices = session.machine.device_count();
  if (p->dstDevice < 0 || p->dstDevice >= devices || p->srcDevice < 0 || p->srcDevice >= devices)
    return cudaErrorInvalidDevice;
  const cudaMemcpy3DParms parameters{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                     p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy_3d(session, &parameters, stream, async);
}

cudaError_t fill_3d(Session& session, const cudaPitchedPtr& memory, int value, cudaExtent extent,
                    Stream* stream, bool async) {
  if (extent.width > memory.pitch && extent.height * extent.depth > 1)
    return cudaErrorInvalidPitchValue;
  if (extent.depth > 1 && extent.height > memory.ysize) return cudaErrorInvalidValue;
  return fill(session,
              {memory.ptr, memory.pitch, value, extent.width, extent.height, extent.depth,
               memory.pitch * memory.ysize},
              stream, async);
}

}  // namespace

extern "C" {

#define XFER_COPY_3D(NAME, VERSIONED, PARAMETERS, COPY, MEANS)                \
  cudaError_t NAME(const PARAMETERS* p) {                                     \
    return XFER_CALL(VERSIONED, p).run([&](Session& session) {                \
      return COPY(session, p, session.machine.stream(nullptr, MEANS), false); \
    });                                                                       \
  }
XFER_COPY_3D(cudaMemcpy3D, cudaMemcpy3D_v3020, cudaMemcpy3DParms, copy_3d, DefaultStream::kLegacy)
XFER_COPY_3D(cudaMemcpy3D_ptds, cudaMemcpy3D_ptds_v7000, cudaMemcpy3DParms, copy_3d,
             DefaultStream::kPerThread)
XFER_COPY_3D(cudaMemcpy3DPeer, cudaMemcpy3DPeer_v4000, cudaMemcpy3DPeerParms, copy_peer_3d,
             DefaultStream::kLegacy)
XFER_COPY_3D(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer_ptds_v7000, cudaMemcpy3DPeerParms,
             copy_peer_3d, DefaultStream::kPerThread)

#define XFER_COPY_3D_ASYNC(NAME, VERSIONED, PARAMETERS, COPY, MEANS)        \
  cudaError_t NAME(const PARAMETERS* p, cudaStream_t stream) {              \
    return XFER_CALL(VERSIONED, p, stream).run([&](Session& session) {      \
      return COPY(session, p, session.machine.stream(stream, MEANS), true); \
    });                                                                     \
  }
XFER_COPY_3D_ASYNC(cudaMemcpy3DAsync, cudaMemcpy3DAsync_v3020, cudaMemcpy3DParms, copy_3d,
                   DefaultStream::kLegacy)
XFER_COPY_3D_ASYNC(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync_ptsz_v7000, cudaMemcpy3DParms, copy_3d,
                   DefaultStream::kPerThread)
XFER_COPY_3D_ASYNC(cudaMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync_v4000, cudaMemcpy3DPeerParms,
                   copy_peer_3d, DefaultStream::kLegacy)
XFER_COPY_3D_ASYNC(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync_ptsz_v7000,
                   cudaMemcpy3DPeerParms, copy_peer_3d, DefaultStream::kPerThread)

#define XFER_FILL_3D(NAME, VERSIONED, MEANS)                                              \
  cudaError_t NAME(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {          \
    return XFER_CALL(VERSIONED, pitchedDevPtr, value, extent).run([&](Session& session) { \
      return fill_3d(session, pitchedDevPtr, value, extent,                               \
                     session.machine.stream(nullptr, MEANS), false);                      \
    });                                                                                   \
  }
XFER_FILL_3D(cudaMemset3D, cudaMemset3D_v3020, DefaultStream::kLegacy)
XFER_FILL_3D(cudaMemset3D_ptds, cudaMemset3D_ptds_v7000, DefaultStream::kPerThread)

#define XFER_FILL_3D_ASYNC(NAME, VERSIONED, MEANS)                                                 \
  cudaError_t NAME(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent,                     \
                   cudaStream_t stream) {                                                          \
    return XFER_CALL(VERSIONED, pitchedDevPtr, value, extent, stream).run([&](Session& session) {  \
      return fill_3d(session, pitchedDevPtr, value, extent, session.machine.stream(stream, MEANS), \
                     true);                                                                        \
    });                                                                                            \
  }
XFER_FILL_3D_ASYNC(cudaMemset3DAsync, cudaMemset3DAsync_v3020, DefaultStream::kLegacy)
XFER_FILL_3D_ASYNC(cudaMemset3DAsync_ptsz, cudaMemset3DAsync_ptsz_v7000, DefaultStream::kPerThread)
}
