// Nodes that allocate and free memory.

#include <cuda_runtime_api.h>

#include "cudart/graph/node_calls.h"

using namespace xfer::emulator;

namespace {

bool has_device(const Session& session, int device) {
  return device >= 0 && device < session.machine.device_count();
}

std::uint64_t* attribute_of(int device, cudaGraphMemAttributeType attribute) {
  GraphMemoryUse& use = graph_memory_use(device);
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent: return &use.used.now;
    case cudaGraphMemAttrUsedMemHigh: return &use.used.high;
    case cudaGraphMemAttrReservedMemCurrent: return &use.reserved.now;
    case cudaGraphMemAttrReservedMemHigh: return &use.reserved.high;
  }
  return nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                     cudaMemAllocNodeParams* nodeParams) {
  return XFER_CALL(cudaGraphAddMemAllocNode_v11040, XFER_NEW_NODE, nodeParams)
      .run([&](Session& session) {
        if (nodeParams == nullptr) return cudaErrorInvalidValue;
        return add_made({XFER_NEW_NODE}, cudaGraphNodeTypeMemAlloc, [&](Work* work) {
          return make_allocation(session, nodeParams->poolProps, nodeParams->bytesize,
                                 &nodeParams->dptr, work);
        });
      });
}

XFER_ADD_NODE(cudaGraphAddMemFreeNode, v11040, cudaGraphNodeTypeMemFree, make_free, (void* dptr),
              (dptr))

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* params_out) {
  return XFER_CALL(cudaGraphMemAllocNodeGetParams_v11040, node, params_out).run([&](Session&) {
    const auto* const work = work_of<AllocateWork>(node);
    if (work == nullptr || params_out == nullptr) return cudaErrorInvalidValue;
    *params_out = {};
    params_out->poolProps.allocType = cudaMemAllocationTypePinned;
    params_out->poolProps.location.type = cudaMemLocationTypeDevice;
    params_out->poolProps.location.id = work->memory->device();
    params_out->bytesize = work->memory->bytes();
    params_out->dptr = reinterpret_cast<void*>(work->memory->address());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* dptr_out) {
  return XFER_CALL(cudaGraphMemFreeNodeGetParams_v11040, node, dptr_out).run([&](Session&) {
    const auto* const work = work_of<FreeWork>(node);
    if (work == nullptr || dptr_out == nullptr) return cudaErrorInvalidValue;
    *static_cast<void**>(dptr_out) = work->pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return XFER_CALL(cudaDeviceGraphMemTrim_v11040, device).run([&](Session& session) {
    return has_device(session, device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                           void* value) {
  return XFER_CALL(cudaDeviceGetGraphMemAttribute_v11040, device, attr, value)
      .run([&](Session& session) {
        if (!has_device(session, device)) return cudaErrorInvalidDevice;
        const std::uint64_t* const found = attribute_of(device, attr);
        if (found == nullptr || value == nullptr) return cudaErrorInvalidValue;
        *static_cast<std::uint64_t*>(value) = *found;
        return cudaSuccess;
      });
}

// A program can only reset a high-water mark, to the present use.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                           void* value) {
  return XFER_CALL(cudaDeviceSetGraphMemAttribute_v11040, device, attr, value)
      .run([&](Session& session) {
        if (!has_device(session, device)) return cudaErrorInvalidDevice;
        if (value == nullptr || *static_cast<std::uint64_t*>(value) != 0)
          return cudaErrorInvalidValue;
        GraphMemoryUse& use = graph_memory_use(device);
        switch (attr) {
          case cudaGraphMemAttrUsedMemHigh: use.used.high = use.used.now; return cudaSuccess;
          case cudaGraphMemAttrReservedMemHigh:
            use.reserved.high = use.reserved.now;
            return cudaSuccess;
          default: return cudaErrorInvalidValue;
        }
      });
}
}
