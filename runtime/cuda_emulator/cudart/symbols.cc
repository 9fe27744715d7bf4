#include "cudart/symbols.h"

#include <algorithm>
#include <cstring>

#include "cudart/execution.h"

namespace xfer::emulator {
namespace {

/// Memory for the variables of one device.
class Variables {
 public:
  Variables(Machine& machine, int device) : machine_(machine), device_(device) {}

  std::optional<std::uintptr_t> address_of(Symbol& symbol) {
    if (symbol.managed != 0) {
      fill(symbol);
      return symbol.managed;
    }
    const auto found = symbol.addresses.find(device_);
    if (found != symbol.addresses.end()) return found->second;
    const kernels::ModuleVariable* const variable = in_ptx(symbol);
    if (variable != nullptr) symbol.bytes = std::max<std::size_t>(symbol.bytes, variable->bytes);
    const std::size_t bytes = std::max<std::size_t>(symbol.bytes, 1);
    const auto memory = machine_.memory().allocate(device_, bytes);
    if (!memory) return std::nullopt;
    // Known before it is filled: its value may hold its own address.
    symbol.addresses.emplace(device_, *memory);
    auto* const view = reinterpret_cast<std::byte*>(machine_.memory().kernel_view(*memory));
    std::memset(view, 0, bytes);
    if (variable != nullptr) write_value(symbol, *variable, view);
    return memory;
  }

  /// A managed variable that the program has not written to.
  void fill(Symbol& symbol) {
    if (symbol.has_value) return;
    symbol.has_value = true;
    const kernels::ModuleVariable* const variable = in_ptx(symbol);
    auto* const memory = reinterpret_cast<std::byte*>(symbol.managed);
    const bool untouched = std::all_of(memory, memory + symbol.bytes,
                                       [](std::byte byte) { return byte == std::byte{0}; });
    if (variable != nullptr && untouched) write_value(symbol, *variable, memory);
  }

 private:
  const kernels::ModuleVariable* in_ptx(const Symbol& symbol) const {
    const Options& options = machine_.options();
    return reads_ptx(options) ? symbol.module->variable(options, symbol.name) : nullptr;
  }

  void write_value(const Symbol& symbol, const kernels::ModuleVariable& variable,
                   std::byte* memory) {
    std::copy_n(variable.value.begin(), std::min(variable.value.size(), symbol.bytes), memory);
    for (const kernels::AddressIn& part : variable.addresses) {
      const auto address =
          address_of(KernelRegistry::instance().symbol(symbol.module, part.variable));
      if (!address || part.at > symbol.bytes || symbol.bytes - part.at < sizeof(*address)) continue;
      const std::uintptr_t value = *address + static_cast<std::uintptr_t>(part.offset);
      std::memcpy(memory + part.at, &value, sizeof(value));
    }
  }

  Machine& machine_;
  const int device_;
};

}  // namespace

cudaError_t symbol_range(Session& session, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** address) {
  Symbol* const found = KernelRegistry::instance().find_symbol(symbol);
  if (found == nullptr) return cudaErrorInvalidSymbol;
  if (offset > found->bytes || bytes > found->bytes - offset) return cudaErrorInvalidValue;
  const auto begin = Variables(session.machine, session.thread.device).address_of(*found);
  if (!begin) return cudaErrorMemoryAllocation;
  *address = reinterpret_cast<void*>(*begin + offset);
  return cudaSuccess;
}

std::optional<std::uintptr_t> address_of(Machine& machine, Symbol& symbol, int device) {
  return Variables(machine, device).address_of(symbol);
}

std::optional<std::vector<std::uintptr_t>> variables_of(Machine& machine, Module* module,
                                                        const kernels::Code& code, int device) {
  Variables variables(machine, device);
  std::vector<std::uintptr_t> addresses;
  for (const std::string& name : code.variables) {
    const auto address = variables.address_of(KernelRegistry::instance().symbol(module, name));
    if (!address) return std::nullopt;
    addresses.push_back(*address);
  }
  return addresses;
}

void make_managed(Machine& machine, Symbol& symbol) {
  void* const memory =
      machine.host_memory().allocate(symbol.bytes, HostKind::kManaged, cudaMemAttachGlobal, 0);
  if (memory != nullptr) std::memset(memory, 0, symbol.bytes);
  symbol.managed = reinterpret_cast<std::uintptr_t>(memory);
}

void fill_managed(Machine& machine, Module* module) {
  Variables variables(machine, 0);
  for (Symbol* const symbol : KernelRegistry::instance().managed_symbols(module))
    variables.fill(*symbol);
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
