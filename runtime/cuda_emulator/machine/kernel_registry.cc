#include "machine/kernel_registry.h"

#include <utility>

namespace xfer::emulator {

KernelRegistry& KernelRegistry::instance() {
  static auto* const registry = new KernelRegistry;
  return *registry;
}

Kernel& KernelRegistry::kernel_of(Module* module, const std::string& name) {
  auto& kernel = kernels_[{module, name}];
  if (!kernel) {
    kernel = std::make_unique<Kernel>();
    kernel->name = name;
    kernel->module = module;
    stubs_.emplace(kernel.get(), kernel.get());
  }
  return *kernel;
}

void KernelRegistry::add_stub(const void* stub, Module* module, const char* name) {
  const std::lock_guard lock(mutex_);
  stubs_[stub] = &kernel_of(module, name);
}

Kernel& KernelRegistry::add_kernel(Module* module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  return kernel_of(module, name);
}

Symbol& KernelRegistry::add_symbol(const void* host_variable, Module* module, const char* name,
                                   std::size_t bytes) {
  Symbol& found = symbol(module, name);
  const std::lock_guard lock(mutex_);
  found.bytes = bytes;
  variables_[host_variable] = &found;
  return found;
}

void KernelRegistry::add_host_version(const char* name, HostVersion version) {
  const std::lock_guard lock(mutex_);
  hosts_[name] = std::make_shared<const HostVersion>(std::move(version));
}

Kernel* KernelRegistry::find(const void* stub_or_handle) {
  const std::lock_guard lock(mutex_);
  const auto it = stubs_.find(stub_or_handle);
  return it == stubs_.end() ? nullptr : it->second;
}

std::vector<Kernel*> KernelRegistry::find_all(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::vector<Kernel*> found;
  for (const auto& [key, kernel] : kernels_)
    if (key.second == name) found.push_back(kernel.get());
  return found;
}

Symbol* KernelRegistry::find_symbol(const void* host_variable) {
  const std::lock_guard lock(mutex_);
  const auto it = variables_.find(host_variable);
  return it == variables_.end() ? nullptr : it->second;
}

std::pair<Symbol*, std::size_t> KernelRegistry::symbol_around(const void* address) {
  const std::lock_guard lock(mutex_);
  for (const auto& [host_variable, symbol] : variables_) {
    const std::size_t at =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(host_variable);
    if (at < symbol->bytes) return {symbol, at};
  }
  return {};
}

Symbol& KernelRegistry::symbol(Module* module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  auto& found = symbols_[{module, name}];
  if (!found) {
    found = std::make_unique<Symbol>();
    found->name = name;
    found->module = module;
  }
  return *found;
}

std::vector<Symbol*> KernelRegistry::managed_symbols(const Module* module) {
  const std::lock_guard lock(mutex_);
  std::vector<Symbol*> found;
  for (const auto& [key, symbol] : symbols_)
    if (key.first == module && symbol->managed != 0) found.push_back(symbol.get());
  return found;
}

void KernelRegistry::forget_symbols(int device) {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, symbol] : symbols_) symbol->addresses.erase(device);
}

std::vector<std::uintptr_t> KernelRegistry::forget(const Module* module) {
  const std::lock_guard lock(mutex_);
  std::erase_if(stubs_, [&](const auto& entry) { return entry.second->module == module; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second->module == module; });
  std::vector<std::uintptr_t> memory;
  for (const auto& [key, symbol] : symbols_) {
    if (key.first != module) continue;
    for (const auto& [device, address] : symbol->addresses) memory.push_back(address);
    symbol->addresses.clear();
  }
  return memory;
}

void KernelRegistry::count_from_ptx(Kernel& kernel, const std::vector<std::string>& approximate) {
  const std::lock_guard lock(mutex_);
  if (kernel.use.from_ptx++ == 0)
    kernel.use.approximate.insert(approximate.begin(), approximate.end());
}

void KernelRegistry::count_from_host(Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  ++kernel.use.from_host;
}

void KernelRegistry::count_skipped(Kernel& kernel, std::string why) {
  const std::lock_guard lock(mutex_);
  ++kernel.use.skipped;
  kernel.use.why = std::move(why);
}

void KernelRegistry::count_failed(const std::string& name, std::string why) {
  const std::lock_guard lock(mutex_);
  KernelUse& use = kernel_of(nullptr, name).use;
  ++use.failed;
  use.why = std::move(why);
}

std::shared_ptr<const HostVersion> KernelRegistry::host_version(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto it = hosts_.find(name);
  return it == hosts_.end() ? nullptr : it->second;
}

std::map<std::string, KernelUse> KernelRegistry::uses() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, KernelUse> by_name;
  for (const auto& [key, kernel] : kernels_) {
    const KernelUse& use = kernel->use;
    if (use.from_ptx + use.from_host + use.skipped + use.failed == 0) continue;
    KernelUse& all = by_name[kernel->name];
    all.from_ptx += use.from_ptx;
    all.from_host += use.from_host;
    all.skipped += use.skipped;
    all.failed += use.failed;
    if (all.why.empty()) all.why = use.why;
    all.approximate.insert(use.approximate.begin(), use.approximate.end());
  }
  return by_name;
}

}  // namespace xfer::emulator
