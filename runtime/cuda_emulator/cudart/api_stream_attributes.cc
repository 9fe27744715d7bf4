// Attributes of streams: kept and told.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"

using namespace xfer::emulator;

namespace {

cudaError_t get_attribute_of(const Stream* stream, int attribute, cudaStreamAttrValue* value) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (value == nullptr) return cudaErrorInvalidValue;
  const auto found = stream->attributes.find(attribute);
  *value = found == stream->attributes.end() ? cudaStreamAttrValue{} : found->second;
  if (attribute == cudaLaunchAttributePriority) value->priority = stream->priority;
  return cudaSuccess;
}

cudaError_t set_attribute_of(Stream* stream, int attribute, const cudaStreamAttrValue* value) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (value == nullptr) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaLaunchAttributePriority: stream->priority = value->priority; return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
      stream->attributes[attribute] = *value;
      return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

cudaError_t copy_all(Stream* to, const Stream* from) {
  if (to == nullptr || from == nullptr) return cudaErrorInvalidResourceHandle;
  to->attributes = from->attributes;
  return cudaSuccess;
}

}  // namespace

extern "C" {

#define XFER_OF(HANDLE, MEANS) session.machine.stream(HANDLE, DefaultStream::MEANS)

#define XFER_STREAM_ATTRIBUTES(SUFFIX, MEANS)                                                      \
  cudaError_t cudaStreamGetAttribute##SUFFIX(cudaStream_t stream, cudaStreamAttrID attr,           \
                                             cudaStreamAttrValue* value) {                         \
    return XFER_CALL(cudaStreamGetAttribute##SUFFIX##_v11000, stream, attr, value)                 \
        .run([&](Session& session) {                                                               \
          return get_attribute_of(XFER_OF(stream, MEANS), attr, value);                            \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaStreamSetAttribute##SUFFIX(cudaStream_t stream, cudaStreamAttrID attr,           \
                                             const cudaStreamAttrValue* value) {                   \
    return XFER_CALL(cudaStreamSetAttribute##SUFFIX##_v11000, stream, attr, value)                 \
        .run([&](Session& session) {                                                               \
          return set_attribute_of(XFER_OF(stream, MEANS), attr, value);                            \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaStreamCopyAttributes##SUFFIX(cudaStream_t dst, cudaStream_t src) {               \
    return XFER_CALL(cudaStreamCopyAttributes##SUFFIX##_v11000, dst, src)                          \
        .run(                                                                                      \
            [&](Session& session) { return copy_all(XFER_OF(dst, MEANS), XFER_OF(src, MEANS)); }); \
  }
XFER_STREAM_ATTRIBUTES(, kLegacy)
XFER_STREAM_ATTRIBUTES(_ptsz, kPerThread)
}
