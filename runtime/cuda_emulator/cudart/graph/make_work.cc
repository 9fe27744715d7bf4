#include "cudart/graph/make_work.h"

#include "cudart/array_copy.h"
#include "cudart/capture.h"
#include "cudart/symbols.h"

namespace xfer::emulator {

cudaError_t make_kernel(Session& session, const cudaKernelNodeParams* asked, Work* work) {
  if (asked == nullptr) return cudaErrorInvalidValue;
  if (asked->extra != nullptr)
    return xfer_emulator_not_supported("a kernel node with arguments in one buffer (extra)");
  const LaunchShape shape{asked->gridDim, asked->blockDim, asked->sharedMemBytes, false};
  return captured(
      session,
      [&](Stream* stream) {
        return launch(session, asked->func, shape, asked->kernelParams, stream);
      },
      work);
}

cudaError_t make_copy(Session& session, const cudaMemcpy3DParms* asked, Work* work) {
  const cudaError_t error = captured(
      session, [&](Stream* stream) { return copy_3d(session, asked, stream, true); }, work);
  if (auto* const made = std::get_if<CopyWork>(work)) made->asked = *asked;
  return error;
}

cudaError_t make_plain_copy(Session& session, void* to, const void* from, std::size_t bytes,
                            cudaMemcpyKind kind, Work* work) {
  const Copy request{to, bytes, from, bytes, bytes, 1, kind};
  return captured(
      session, [&](Stream* stream) { return copy(session, request, stream, true); }, work);
}

cudaError_t make_copy_to_symbol(Session& session, const void* symbol, const void* from,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                Work* work) {
  void* to = nullptr;
  const cudaError_t error = symbol_range(session, symbol, offset, bytes, &to);
  return error != cudaSuccess ? error : make_plain_copy(session, to, from, bytes, kind, work);
}

cudaError_t make_copy_from_symbol(Session& session, void* to, const void* symbol, std::size_t bytes,
                                  std::size_t offset, cudaMemcpyKind kind, Work* work) {
  void* from = nullptr;
  const cudaError_t error = symbol_range(session, symbol, offset, bytes, &from);
  return error != cudaSuccess ? error : make_plain_copy(session, to, from, bytes, kind, work);
}

cudaError_t make_fill(Session& session, const cudaMemsetParams* asked, Work* work) {
  if (asked == nullptr) return cudaErrorInvalidValue;
  const unsigned size = asked->elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  Fill request{asked->dst, asked->pitch, static_cast<int>(asked->value), asked->width * size,
               asked->height};
  request.value_bytes = size;
  return captured(
      session, [&](Stream* stream) { return fill(session, request, stream, true); }, work);
}

cudaError_t make_host(Session&, const cudaHostNodeParams* asked, Work* work) {
  if (asked == nullptr || asked->fn == nullptr) return cudaErrorInvalidValue;
  *work = HostWork{[called = *asked] { called.fn(called.userData); }, *asked};
  return cudaSuccess;
}

cudaError_t make_child(Session&, cudaGraph_t graph, Work* work) {
  const Graph* const found = Graph::find(graph);
  if (found == nullptr) return cudaErrorInvalidValue;
  *work = ChildWork{clone(*found)};
  return cudaSuccess;
}

cudaError_t make_record(Session& session, cudaEvent_t event, Work* work) {
  if (session.machine.event(event) == nullptr) return cudaErrorInvalidResourceHandle;
  *work = RecordWork{event};
  return cudaSuccess;
}

cudaError_t make_wait(Session& session, cudaEvent_t event, Work* work) {
  if (session.machine.event(event) == nullptr) return cudaErrorInvalidResourceHandle;
  *work = WaitWork{event};
  return cudaSuccess;
}

cudaError_t make_allocation(Session& session, const cudaMemPoolProps& place, std::size_t bytes,
                            void** address, Work* work) {
  if (place.location.type != cudaMemLocationTypeDevice || place.location.id < 0 ||
      place.location.id >= session.machine.device_count() || bytes == 0)
    return cudaErrorInvalidValue;
  auto memory = GraphMemory::reserve(session.machine, place.location.id, bytes);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  *address = reinterpret_cast<void*>(memory->address());
  *work = AllocateWork{std::move(memory)};
  return cudaSuccess;
}

cudaError_t make_free(Session& session, void* pointer, Work* work) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto block = session.machine.memory().find(address);
  if (!block || block->address != address) return cudaErrorInvalidValue;
  *work = FreeWork{pointer};
  return cudaSuccess;
}

}  // namespace xfer::emulator
