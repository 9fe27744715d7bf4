#include "cudart/symbols.h"

#include <cstring>

namespace xfer::emulator {

cudaError_t symbol_range(Session& session, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** address) {
  Symbol* const found = KernelRegistry::instance().find_symbol(symbol);
  if (found == nullptr) return cudaErrorInvalidSymbol;
  if (offset > found->bytes || bytes > found->bytes - offset) return cudaErrorInvalidValue;
  const int device = session.thread.device;
  auto it = found->addresses.find(device);
  if (it == found->addresses.end()) {
    const auto memory = session.machine.memory().allocate(device, found->bytes);
    if (!memory) return cudaErrorMemoryAllocation;
    std::memset(reinterpret_cast<void*>(session.machine.memory().kernel_view(*memory)), 0,
                found->bytes);
    it = found->addresses.emplace(device, *memory).first;
  }
  *address = reinterpret_cast<void*>(it->second + offset);
  return cudaSuccess;
}

}  // namespace xfer::emulator

using namespace xfer::emulator;

extern "C" {

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return XFER_CALL(cudaGetSymbolAddress_v3020, devPtr, symbol).run([&](Session& session) {
    if (devPtr == nullptr) return cudaErrorInvalidValue;
    return symbol_range(session, symbol, 0, 0, devPtr);
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return XFER_CALL(cudaGetSymbolSize_v3020, size, symbol).run([&](Session&) {
    const Symbol* const found = KernelRegistry::instance().find_symbol(symbol);
    if (size == nullptr) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidSymbol;
    *size = found->bytes;
    return cudaSuccess;
  });
}
}
