// Nodes that launch kernels.

#include <cuda_runtime_api.h>

#include "cudart/graph/node_calls.h"

using namespace xfer::emulator;

namespace {

cudaError_t set_attribute(KernelWork* work, int attribute, const cudaLaunchAttributeValue* value) {
  if (work == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (attribute == cudaLaunchAttributeCooperative)
    work->shape.cooperative = value->cooperative != 0;
  else
    work->attributes[attribute] = *value;
  return cudaSuccess;
}

cudaError_t get_attribute(const KernelWork* work, int attribute, cudaLaunchAttributeValue* value) {
  if (work == nullptr || value == nullptr) return cudaErrorInvalidValue;
  const auto found = work->attributes.find(attribute);
  *value = found == work->attributes.end() ? cudaLaunchAttributeValue{} : found->second;
  if (attribute == cudaLaunchAttributeCooperative) value->cooperative = work->shape.cooperative;
  return cudaSuccess;
}

}  // namespace

extern "C" {

#define XFER_KERNEL \
  cudaGraphNodeTypeKernel, make_kernel, (const cudaKernelNodeParams* pNodeParams), (pNodeParams)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddKernelNode, v10000, XFER_KERNEL)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphKernelNodeSetParams, v10000, XFER_KERNEL)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecKernelNodeSetParams, v10010, XFER_KERNEL)

XFER_NODE_GET(cudaGraphKernelNodeGetParams, v10000, KernelWork, cudaKernelNodeParams,
              {const_cast<void*>(work->function), work->shape.grid, work->shape.block,
               static_cast<unsigned>(work->shape.shared_bytes), work->arguments->pointers(),
               nullptr})

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaKernelNodeAttrID attr,
                                            const cudaKernelNodeAttrValue* value) {
  return XFER_CALL(cudaGraphKernelNodeSetAttribute_v11000, hNode, attr, value).run([&](Session&) {
    return set_attribute(work_of<KernelWork>(hNode), attr, value);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaKernelNodeAttrID attr,
                                            cudaKernelNodeAttrValue* value_out) {
  return XFER_CALL(cudaGraphKernelNodeGetAttribute_v11000, hNode, attr, value_out)
      .run([&](Session&) { return get_attribute(work_of<KernelWork>(hNode), attr, value_out); });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc) {
  return XFER_CALL(cudaGraphKernelNodeCopyAttributes_v11000, hDst, hSrc).run([&](Session&) {
    auto* const to = work_of<KernelWork>(hDst);
    const auto* const from = work_of<KernelWork>(hSrc);
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    to->attributes = from->attributes;
    to->shape.cooperative = from->shape.cooperative;
    return cudaSuccess;
  });
}
}
