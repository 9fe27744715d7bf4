#include "machine/kernel_registry.h"

#include <algorithm>
#include <utility>

namespace xfer::emulator {

KernelRegistry& KernelRegistry::instance() {
  static auto* const registry = new KernelRegistry;
  return *registry;
}

Kernel& KernelRegistry::named(const std::string& name) {
  auto& entry = kernels_[name];
  if (!entry) {
    entry = std::make_unique<Kernel>();
    entry->name = name;
    stubs_.emplace(entry.get(), entry.get());
  }
  return *entry;
}

void KernelRegistry::add_stub(const void* stub, const char* name, std::vector<int> architectures) {
  const std::lock_guard lock(mutex_);
  Kernel& kernel = named(name);
  kernel.architectures = std::move(architectures);
  stubs_[stub] = &kernel;
}

int KernelRegistry::architecture_of(const Kernel& kernel, int capability) {
  const std::lock_guard lock(mutex_);
  int newest = 0;
  for (const int architecture : kernel.architectures)
    if (architecture <= capability) newest = std::max(newest, architecture);
  return newest != 0 ? newest : capability;
}

void KernelRegistry::add_symbol(const void* host_variable, const char* name, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  symbols_[host_variable] = std::make_unique<Symbol>(Symbol{name, bytes, {}});
}

void KernelRegistry::add_host_version(const char* name, HostVersion version) {
  const std::lock_guard lock(mutex_);
  named(name).host = std::make_shared<const HostVersion>(std::move(version));
}

Kernel* KernelRegistry::find(const void* stub_or_handle) {
  const std::lock_guard lock(mutex_);
  const auto it = stubs_.find(stub_or_handle);
  return it == stubs_.end() ? nullptr : it->second;
}

Symbol* KernelRegistry::find_symbol(const void* host_variable) {
  const std::lock_guard lock(mutex_);
  const auto it = symbols_.find(host_variable);
  return it == symbols_.end() ? nullptr : it->second.get();
}

void KernelRegistry::forget_symbols(int device) {
  const std::lock_guard lock(mutex_);
  for (const auto& [variable, symbol] : symbols_) symbol->addresses.erase(device);
}

void KernelRegistry::count_launch(Kernel& kernel, bool skipped) {
  const std::lock_guard lock(mutex_);
  ++kernel.launches;
  if (skipped) ++kernel.skipped;
}

std::shared_ptr<const HostVersion> KernelRegistry::host_version(const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  return kernel.host;
}

bool KernelRegistry::has_host_version(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto it = kernels_.find(name);
  return it != kernels_.end() && it->second->host != nullptr;
}

void KernelRegistry::visit(const std::function<void(const Kernel&)>& visit) {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, kernel] : kernels_) visit(*kernel);
}

}  // namespace xfer::emulator
