// Nodes that copy and fill memory.

#include <cuda_runtime_api.h>

#include "cudart/graph/node_calls.h"

using namespace xfer::emulator;

extern "C" {

#define XFER_BOX_COPY \
  cudaGraphNodeTypeMemcpy, make_copy, (const cudaMemcpy3DParms* pNodeParams), (pNodeParams)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddMemcpyNode, v10000, XFER_BOX_COPY)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphMemcpyNodeSetParams, v10000, XFER_BOX_COPY)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecMemcpyNodeSetParams, v10020, XFER_BOX_COPY)

#define XFER_PLAIN_COPY                     \
  cudaGraphNodeTypeMemcpy, make_plain_copy, \
      (void* dst, const void* src, size_t count, cudaMemcpyKind kind), (dst, src, count, kind)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddMemcpyNode1D, v11010, XFER_PLAIN_COPY)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphMemcpyNodeSetParams1D, v11010, XFER_PLAIN_COPY)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecMemcpyNodeSetParams1D, v11010, XFER_PLAIN_COPY)

#define XFER_TO_SYMBOL                                                                         \
  cudaGraphNodeTypeMemcpy, make_copy_to_symbol,                                                \
      (const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind), \
      (symbol, src, count, offset, kind)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddMemcpyNodeToSymbol, v11010, XFER_TO_SYMBOL)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphMemcpyNodeSetParamsToSymbol, v11010, XFER_TO_SYMBOL)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecMemcpyNodeSetParamsToSymbol, v11010,
              XFER_TO_SYMBOL)

#define XFER_FROM_SYMBOL                                                                 \
  cudaGraphNodeTypeMemcpy, make_copy_from_symbol,                                        \
      (void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind), \
      (dst, symbol, count, offset, kind)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddMemcpyNodeFromSymbol, v11010, XFER_FROM_SYMBOL)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphMemcpyNodeSetParamsFromSymbol, v11010, XFER_FROM_SYMBOL)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecMemcpyNodeSetParamsFromSymbol, v11010,
              XFER_FROM_SYMBOL)

#define XFER_FILL_NODE \
  cudaGraphNodeTypeMemset, make_fill, (const cudaMemsetParams* pNodeParams), (pNodeParams)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddMemsetNode, v10000, XFER_FILL_NODE)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphMemsetNodeSetParams, v10000, XFER_FILL_NODE)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecMemsetNodeSetParams, v10020, XFER_FILL_NODE)

XFER_NODE_GET(cudaGraphMemcpyNodeGetParams, v10000, CopyWork, cudaMemcpy3DParms, work->asked)
XFER_NODE_GET(cudaGraphMemsetNodeGetParams, v10000, Fill, cudaMemsetParams,
              {work->destination, work->pitch, static_cast<unsigned>(work->value),
               work->value_bytes, work->width / work->value_bytes, work->height})
}
