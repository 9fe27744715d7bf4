#pragma once
// Kernels of the emulated cuBLAS: known to the emulated runtime as a program's own are, with a
// version for the CPU.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "xfer/emulator/launch_context.h"

extern "C" {
void** __cudaRegisterFatBinary(void* fatbin);
void __cudaRegisterFunction(void** module, const char* stub, char* device_function,
                            const char* device_name, int thread_limit, uint3*, uint3*, dim3*, dim3*,
                            int*);
void xfer_emulator_register_kernel(const char* mangled_name, xfer::emulator::HostKernelRun run,
                                   const std::size_t* arg_sizes, std::size_t nargs);
}

namespace xfer::emulator {

/// For the process: like a program's own module, it is given back by nobody.
inline void** cublas_module() {
  static void** const module = __cudaRegisterFatBinary(nullptr);
  return module;
}

/// `stub` is what is launched. A kernel whose `run` is null is skipped.
inline void register_cublas_kernel(const char* stub, const char* mangled_name, HostKernelRun run,
                                   const std::vector<std::size_t>& sizes) {
  __cudaRegisterFunction(cublas_module(), stub, nullptr, mangled_name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  if (run != nullptr) xfer_emulator_register_kernel(mangled_name, run, sizes.data(), sizes.size());
}

}  // namespace xfer::emulator
