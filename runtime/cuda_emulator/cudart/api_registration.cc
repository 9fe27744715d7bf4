// What static constructors of CUDA programs call before main: they name the kernels and variables.
// Works without a device, as these calls always succeed.

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "machine/kernel_registry.h"
#include "machine/machine.h"

using namespace xfer::emulator;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  // Only the address matters: it stands for the module.
  return static_cast<void**>(std::malloc(sizeof(void*)));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** module) { std::free(module); }
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* hostFun, char*, const char* deviceName, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  KernelRegistry::instance().add_stub(hostFun, deviceName);
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
