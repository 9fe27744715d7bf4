// Many plain copies in one call.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/transfer.h"

using namespace xfer::emulator;

namespace {

struct Batch {
  void* const* destinations;
  const void* const* sources;
  const std::size_t* sizes;
  std::size_t count;
  const cudaMemcpyAttributes* attributes;
  const std::size_t* first;  ///< copy of each attribute
  std::size_t attribute_count;

  bool is_valid() const {
    if (destinations == nullptr || sources == nullptr || sizes == nullptr || count == 0 ||
        attributes == nullptr || first == nullptr || attribute_count == 0 ||
        attribute_count > count || first[0] != 0)
      return false;
    for (std::size_t i = 0; i < attribute_count; ++i) {
      const int order = attributes[i].srcAccessOrder;
      if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny ||
          first[i] >= count || (i != 0 && first[i] <= first[i - 1]))
        return false;
    }
    return true;
  }
};

cudaError_t copy_batch(Session& session, const Batch& batch, Stream* stream) {
  if (!batch.is_valid()) return cudaErrorInvalidValue;
  std::size_t attribute = 0;
  for (std::size_t i = 0; i < batch.count; ++i) {
    if (attribute + 1 < batch.attribute_count && batch.first[attribute + 1] == i) ++attribute;
    Copy request{batch.destinations[i], batch.sizes[i], batch.sources[i],
                 batch.sizes[i],        batch.sizes[i], 1,
                 cudaMemcpyDefault};
    request.takes_source =
        batch.attributes[attribute].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
    if (const auto error = copy(session, request, stream, true); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

#define XFER_COPY_BATCH(SUFFIX, MEANS)                                                        \
  cudaError_t cudaMemcpyBatchAsync##SUFFIX(                                                   \
      void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count,          \
      cudaMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, cudaStream_t stream) { \
    return XFER_CALL(cudaMemcpyBatchAsync##SUFFIX##_v13000, dsts, srcs, sizes, count, attrs,  \
                     attrsIdxs, numAttrs, stream)                                             \
        .run([&](Session& session) {                                                          \
          return copy_batch(session, {dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs},  \
                            session.machine.stream(stream, DefaultStream::MEANS));            \
        });                                                                                   \
  }
XFER_COPY_BATCH(, kLegacy)
XFER_COPY_BATCH(_ptsz, kPerThread)
}
