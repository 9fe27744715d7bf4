#pragma once
// Kernels of the emulated cuBLAS.

#include <cublas_v2.h>

#include <utility>

#include "cudart/library_kernel.h"

namespace xfer::emulator {

inline cublasStatus_t launch_kernel(const char* stub, dim3 grid, std::vector<void*> arguments,
                                    cudaStream_t stream) {
  return launch_library_kernel(stub, grid, std::move(arguments), stream) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline bool is_reachable(const void* operand, std::size_t bytes) {
  return bytes == 0 || xfer_emulator_check_operand("cuBLAS", operand, bytes);
}

}  // namespace xfer::emulator
