#include "cudart/loaded_module.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "cudart/execution.h"
#include "cudart/kernel_translator.h"
#include "cudart/runnable_ptx.h"
#include "cudart/symbols.h"
#include "machine/say.h"
#include "src/device_image.h"

namespace xfer::emulator {
namespace {

std::unordered_set<const Module*>& loaded_modules() {
  static auto* const all = new std::unordered_set<const Module*>;
  return *all;
}

/// Why an image whose PTX cannot be read is refused.
cudaError_t refusal(std::string_view image, const Options& options) {
  if (runnable_ptx(options, image, nullptr)) return cudaErrorInvalidPtx;
  return is_device_code(image) ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidKernelImage;
}

/// Once: a program that was compiled for the machine code of its device has many.
void say_no_ptx(const std::string& why) {
  static bool said = false;
  if (!std::exchange(said, true))
    say("xfercheck: a module cannot be loaded: {}; emulated devices run PTX\n", why);
}

void make_managed_variables(Session& session, Module* module) {
  for (const auto& [name, variable] : module->variables()) {
    if (!variable->managed) continue;
    Symbol& symbol = KernelRegistry::instance().symbol(module, name);
    symbol.bytes = variable->bytes;
    make_managed(session.machine, symbol);
  }
  fill_managed(session.machine, module);
}

}  // namespace

cudaError_t load_module(Session& session, std::string_view image, Module** module,
                        std::string* why) {
  const Options& options = session.machine.options();
  auto loaded = std::make_unique<Module>(std::vector{image});
  // Without a translator its kernels are skipped, and say why.
  if (reads_ptx(options) && !loaded->read(options, why) && kernel_translator(why) != nullptr) {
    const cudaError_t error = refusal(image, options);
    if (error == cudaErrorNoKernelImageForDevice) say_no_ptx(*why);
    return error;
  }
  loaded->close();
  make_managed_variables(session, loaded.get());
  loaded_modules().insert(loaded.get());
  *module = loaded.release();  // kept: launches of a graph may still run its kernels
  return cudaSuccess;
}

bool is_loaded(const Module* module) { return loaded_modules().count(module) != 0; }

cudaError_t unload_module(Session& session, Module* module) {
  if (loaded_modules().erase(module) == 0) return cudaErrorInvalidResourceHandle;
  Machine& machine = session.machine;
  machine.scheduler().finish_all(session.lock);
  for (Symbol* const symbol : KernelRegistry::instance().managed_symbols(module))
    machine.host_memory().release(reinterpret_cast<void*>(std::exchange(symbol->managed, 0)), true);
  for (const std::uintptr_t address : KernelRegistry::instance().forget(module))
    machine.memory().release(address);
  return cudaSuccess;
}

Kernel* kernel_of(Module* module, const std::string& name) {
  const std::vector<std::string> names = module->kernels();
  // Of PTX that is not read nobody knows what it holds.
  if (module->is_read() && std::find(names.begin(), names.end(), name) == names.end())
    return nullptr;
  return &KernelRegistry::instance().add_kernel(module, name);
}

cudaError_t variable_of(Session& session, Module* module, const std::string& name, void** address,
                        std::size_t* bytes) {
  if (module->variables().count(name) == 0) return cudaErrorSymbolNotFound;
  Symbol& symbol = KernelRegistry::instance().symbol(module, name);
  const auto memory = address_of(session.machine, symbol, session.thread.device);
  if (!memory) return cudaErrorMemoryAllocation;
  if (address != nullptr) *address = reinterpret_cast<void*>(*memory);
  if (bytes != nullptr) *bytes = symbol.bytes;
  return cudaSuccess;
}

}  // namespace xfer::emulator
