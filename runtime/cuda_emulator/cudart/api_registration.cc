// Static constructors of CUDA programs call this before main, to name the kernels and variables.
// Works without a device, as these calls always succeed.

#include <cuda_runtime_api.h>

#include <mutex>
#include <unordered_set>
#include <vector>

#include "cudart/module.h"
#include "cudart/symbols.h"
#include "machine/kernel_registry.h"
#include "machine/machine.h"
#include "src/device_image.h"

using namespace xfer::emulator;

namespace {

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

/// The handles that were given out. A program whose own runtime was replaced too late has others.
class Handles {
 public:
  void add(void** handle) {
    const std::lock_guard lock(mutex_);
    handles_.insert(handle);
  }
  bool take(void** handle) {
    const std::lock_guard lock(mutex_);
    return handles_.erase(handle) != 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<void**> handles_;
};

Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

}  // namespace

extern "C" {

// The handle stands for the module; programs do not look into it.
void** __cudaRegisterFatBinary(void* wrapper) {
  auto* const handle = reinterpret_cast<void**>(new Module(xfer::images_of(wrapper)));
  handles().add(handle);
  return handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}

// The image goes with its library; queued launches of its kernels may still run.
void __cudaUnregisterFatBinary(void** handle) {
  if (!handles().take(handle)) return;
  Machine* const machine = Machine::existing();
  if (machine == nullptr) return module_of(handle)->close();
  if (!machine->usable()) return;
  const Lock lock(machine->mutex());
  module_of(handle)->close();
}

// Called before the host first touches a managed variable of the module.
char __cudaInitModule(void** handle) {
  Machine& machine = Machine::instance();
  if (machine.device_count() == 0 || !machine.usable()) return 1;
  const Lock lock(machine.mutex());
  fill_managed(machine, module_of(handle));
  return 1;
}

void __cudaRegisterFunction(void** handle, const char* hostFun, char*, const char* deviceName, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  KernelRegistry::instance().add_stub(hostFun, module_of(handle), deviceName);
}

void __cudaRegisterVar(void** handle, char* hostVar, char*, const char* deviceName, int,
                       size_t size, int constant, int) {
  KernelRegistry::instance().add_symbol(hostVar, module_of(handle), deviceName, size).constant =
      constant != 0;
}

// The program reads a managed variable through a pointer that the runtime fills in.
void __cudaRegisterManagedVar(void** handle, void** hostVarPtrAddress, char*,
                              const char* deviceName, int, size_t size, int, int) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  Symbol& symbol =
      KernelRegistry::instance().add_symbol(hostVarPtrAddress, module_of(handle), deviceName, size);
  make_managed(machine, symbol);
  *hostVarPtrAddress = reinterpret_cast<void*>(symbol.managed);
}

void xfer_emulator_register_kernel(const char* mangled_name, HostKernelRun run,
                                   const std::size_t* arg_sizes, std::size_t nargs) {
  if (mangled_name == nullptr || run == nullptr) return;
  KernelRegistry::instance().add_host_version(
      mangled_name, {run, std::vector<std::size_t>(arg_sizes, arg_sizes + nargs)});
}

void xfer_emulator_register_waiting_kernel(const char* mangled_name, const WaitingKernel* kernel,
                                           const std::size_t* arg_sizes, std::size_t nargs) {
  if (mangled_name == nullptr || kernel == nullptr) return;
  KernelRegistry::instance().add_host_version(
      mangled_name, {nullptr, std::vector<std::size_t>(arg_sizes, arg_sizes + nargs), kernel});
}
}
