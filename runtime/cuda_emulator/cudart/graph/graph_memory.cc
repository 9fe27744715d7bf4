#include "cudart/graph/graph_memory.h"

#include <map>

namespace xfer::emulator {
namespace {

std::map<std::uintptr_t, GraphMemory*>& all_of_graphs() {
  static auto* const all = new std::map<std::uintptr_t, GraphMemory*>;
  return *all;
}

}  // namespace

std::shared_ptr<GraphMemory> GraphMemory::reserve(Machine& machine, int device,
                                                  std::uint64_t bytes) {
  const auto address = machine.memory().allocate(device, bytes);
  return address ? std::make_shared<GraphMemory>(machine, device, *address, bytes) : nullptr;
}

GraphMemory* GraphMemory::at(std::uintptr_t address) {
  const auto found = all_of_graphs().find(address);
  return found == all_of_graphs().end() ? nullptr : found->second;
}

void GraphMemory::forget(int device) {
  std::erase_if(all_of_graphs(), [&](const auto& entry) {
    if (entry.second->device_ != device) return false;
    entry.second->address_ = 0;
    return true;
  });
  graph_memory_use(device) = {};
}

GraphMemory::GraphMemory(Machine& machine, int device, std::uintptr_t address, std::uint64_t bytes)
    : machine_(machine), device_(device), address_(address), bytes_(bytes) {
  all_of_graphs().emplace(address, this);
  graph_memory_use(device).reserved.add(bytes);
}

GraphMemory::~GraphMemory() {
  if (address_ == 0) return;
  all_of_graphs().erase(address_);
  GraphMemoryUse& use = graph_memory_use(device_);
  use.reserved.now -= bytes_;
  if (used_)
    use.used.now -= bytes_;
  else
    machine_.memory().release(address_);
}

void GraphMemory::use(bool used) {
  if (used == used_ || address_ == 0) return;
  used_ = used;
  HighWater& all = graph_memory_use(device_).used;
  if (used)
    all.add(bytes_);
  else
    all.now -= bytes_;
}

GraphMemoryUse& graph_memory_use(int device) {
  static auto* const uses = new std::map<int, GraphMemoryUse>;
  return (*uses)[device];
}

}  // namespace xfer::emulator
