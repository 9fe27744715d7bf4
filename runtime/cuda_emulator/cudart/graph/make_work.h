#pragma once
// Makes a node's work from the program's parameters and checks them as a call on a stream would.

#include <driver_types.h>

#include <cstddef>

#include "cudart/api_call.h"
#include "cudart/graph/graph.h"

namespace xfer::emulator {

cudaError_t make_kernel(Session& session, const cudaKernelNodeParams* asked, Work* work);
cudaError_t make_copy(Session& session, const cudaMemcpy3DParms* asked, Work* work);
cudaError_t make_plain_copy(Session& session, void* to, const void* from, std::size_t bytes,
                            cudaMemcpyKind kind, Work* work);
cudaError_t make_copy_to_symbol(Session& session, const void* symbol, const void* from,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                Work* work);
cudaError_t make_copy_from_symbol(Session& session, void* to, const void* symbol, std::size_t bytes,
                                  std::size_t offset, cudaMemcpyKind kind, Work* work);
cudaError_t make_fill(Session& session, const cudaMemsetParams* asked, Work* work);
cudaError_t make_host(Session& session, const cudaHostNodeParams* asked, Work* work);
cudaError_t make_child(Session& session, cudaGraph_t graph, Work* work);
cudaError_t make_record(Session& session, cudaEvent_t event, Work* work);
cudaError_t make_wait(Session& session, cudaEvent_t event, Work* work);
/// *address: of the memory.
cudaError_t make_allocation(Session& session, const cudaMemPoolProps& place, std::size_t bytes,
                            void** address, Work* work);
cudaError_t make_free(Session& session, void* pointer, Work* work);

}  // namespace xfer::emulator
