// What static constructors of CUDA programs call before main: they name the kernels and variables.
// Works without a device, as these calls always succeed.

#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "cudart/module_architectures.h"
#include "machine/kernel_registry.h"
#include "machine/machine.h"

using namespace xfer::emulator;

extern "C" {

// The handle stands for the module; programs do not look into it.
void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(new std::vector<int>(module_architectures(wrapper)));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** module) {
  delete reinterpret_cast<std::vector<int>*>(module);
}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** module, const char* hostFun, char*, const char* deviceName, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  KernelRegistry::instance().add_stub(hostFun, deviceName,
                                      *reinterpret_cast<const std::vector<int>*>(module));
}

void __cudaRegisterVar(void**, char* hostVar, char*, const char* deviceName, int, size_t size, int,
                       int) {
  KernelRegistry::instance().add_symbol(hostVar, deviceName, size);
}

// The program reads a managed variable through a pointer that the runtime fills in.
void __cudaRegisterManagedVar(void**, void** hostVarPtrAddress, char*, const char* deviceName, int,
                              size_t size, int, int) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  *hostVarPtrAddress =
      machine.host_memory().allocate(size, HostKind::kManaged, cudaMemAttachGlobal, 0);
  if (*hostVarPtrAddress != nullptr) std::memset(*hostVarPtrAddress, 0, size);
  KernelRegistry::instance().add_symbol(hostVarPtrAddress, deviceName, size);
}

void xfer_emulator_register_kernel(const char* mangled_name, HostKernelRun run,
                                   const std::size_t* arg_sizes, std::size_t nargs) {
  if (mangled_name == nullptr || run == nullptr) return;
  KernelRegistry::instance().add_host_version(
      mangled_name, {run, std::vector<std::size_t>(arg_sizes, arg_sizes + nargs)});
}
}
