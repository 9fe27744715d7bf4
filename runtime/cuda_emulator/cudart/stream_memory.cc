#include "cudart/stream_memory.h"

#include <cstring>

#include "cudart/capture.h"
#include "machine/cost_model.h"

namespace xfer::emulator {
namespace {

cudaError_t allocate_on(Session& session, int device, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const auto address = session.machine.memory().allocate(device, bytes);
  if (!address) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(*address);
  // It holds zeros otherwise: freed memory is given back to the system.
  if (const int byte = session.machine.missing_byte(); byte > 0)
    std::memset(session.machine.reach(*pointer), byte, bytes);
  return cudaSuccess;
}

cudaError_t allocate_captured(Session& session, void** pointer, std::size_t bytes, Stream& stream) {
  if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
  auto memory = GraphMemory::reserve(session.machine, stream.device, bytes);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(memory->address());
  return keep(stream, AllocateWork{std::move(memory)});
}

}  // namespace

cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes) {
  return allocate_on(session, session.thread.device, pointer, bytes);
}

cudaError_t allocate_in_stream(Session& session, void** pointer, std::size_t bytes,
                               MemoryPool* pool, Stream* stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  session.machine.spend(cost::kPoolNs);
  if (stream->capture != nullptr) return allocate_captured(session, pointer, bytes, *stream);
  MemoryPool& from = pool != nullptr ? *pool : *current_pool(stream->device);
  if (!from.has_room(bytes)) return cudaErrorMemoryAllocation;
  cudaError_t error = allocate_on(session, from.device, pointer, bytes);
  if (error == cudaErrorMemoryAllocation) {
    session.machine.scheduler().finish_all(session.lock);  // frees that are queued may make room
    error = allocate_on(session, from.device, pointer, bytes);
  }
  if (error == cudaSuccess && bytes != 0)
    from.add(reinterpret_cast<std::uintptr_t>(*pointer), bytes);
  return error;
}

cudaError_t free_in_stream(Session& session, void* pointer, Stream* stream) {
  Machine& machine = session.machine;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (pointer == nullptr) return cudaSuccess;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto block = machine.memory().find(address);
  if (!block || block->address != address || machine.freed_in_stream.count(address) != 0) {
    return cudaErrorInvalidValue;
  }
  machine.spend(cost::kPoolNs);
  if (stream->capture != nullptr) return keep(*stream, FreeWork{pointer});
  if (GraphMemory* const memory = GraphMemory::at(address)) {
    if (!memory->used()) return cudaErrorInvalidValue;
    memory->use(false);
    return cudaSuccess;
  }
  machine.freed_in_stream.insert(address);
  Op op;
  op.run = [&machine, address] {
    machine.freed_in_stream.erase(address);
    take_from_pool(address);
    machine.memory().release(address);
  };
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  return cudaSuccess;
}

}  // namespace xfer::emulator
