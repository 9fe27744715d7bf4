// Hints about managed memory: where the program will use it. Host and devices share it here, so it
// moves nowhere.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/capture.h"

using namespace xfer::emulator;

namespace {

cudaError_t check_range(const Session& session, const void* address, size_t bytes) {
  const AddressInfo place = session.machine.locate(address);
  const auto end = reinterpret_cast<std::uintptr_t>(address) + bytes;
  return place.kind == MemoryKind::kManaged && bytes != 0 && end <= place.begin + place.bytes
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t check_location(const Session& session, cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id >= 0 && location.id < session.machine.device_count()
                 ? cudaSuccess
                 : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

cudaError_t prefetch(Session& session, const void* address, size_t bytes, cudaMemLocation location,
                     unsigned flags, const Stream* stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (flags != 0) return cudaErrorInvalidValue;
  if (const auto error = check_location(session, location); error != cudaSuccess) return error;
  if (const auto error = check_range(session, address, bytes); error != cudaSuccess) return error;
  return may_queue(session, *stream);
}

cudaError_t attach(Session& session, Stream* stream, void* address, size_t bytes, unsigned flags) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
    return cudaErrorInvalidValue;
  if (stream->legacy && flags == cudaMemAttachSingle) return cudaErrorInvalidValue;
  if (stream->capture != nullptr) return may_wait(session, *stream);
  const AddressInfo place = session.machine.locate(address);
  const bool whole = place.begin == reinterpret_cast<std::uintptr_t>(address) &&
                     (bytes == 0 || bytes == place.bytes);
  return place.kind == MemoryKind::kManaged && whole ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

#define XFER_ON_STREAM(MEANS) session.machine.stream(stream, DefaultStream::MEANS)

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return XFER_CALL(cudaMemPrefetchAsync_v12020, devPtr, count, location, flags, stream)
      .run([&](Session& session) {
        return prefetch(session, devPtr, count, location, flags, XFER_ON_STREAM(kLegacy));
      });
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void* devPtr, size_t count, cudaMemLocation location,
                                      unsigned int flags, cudaStream_t stream) {
  return XFER_CALL(cudaMemPrefetchAsync_ptsz_v12020, devPtr, count, location, flags, stream)
      .run([&](Session& session) {
        return prefetch(session, devPtr, count, location, flags, XFER_ON_STREAM(kPerThread));
      });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length,
                                     unsigned int flags) {
  return XFER_CALL(cudaStreamAttachMemAsync_v6000, stream, devPtr, length, flags)
      .run([&](Session& session) {
        return attach(session, XFER_ON_STREAM(kLegacy), devPtr, length, flags);
      });
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* devPtr, size_t length,
                                          unsigned int flags) {
  return XFER_CALL(cudaStreamAttachMemAsync_ptsz_v7000, stream, devPtr, length, flags)
      .run([&](Session& session) {
        return attach(session, XFER_ON_STREAM(kPerThread), devPtr, length, flags);
      });
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return XFER_CALL(cudaMemAdvise_v12020, devPtr, count, advice, location)
      .run([&](Session& session) {
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
          return cudaErrorInvalidValue;
        const bool has_location =
            advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
        if (has_location) {
          const auto error = check_location(session, location);
          if (error != cudaSuccess) return error;
        }
        return check_range(session, devPtr, count);
      });
}
}
