#pragma once
// The common part of the driver's entry points. Each forwards to the emulated runtime, which does
// the work: a stream, an event, a graph, a device pointer, a module (a cudaLibrary_t) and a
// function (a cudaKernel_t) are the same object in both APIs.
//
// Files whose names end with _calls.cc hold functions that exist twice, …_ptsz or …_ptds beside the
// plain name: they are compiled twice, with CUDA_API_PER_THREAD_DEFAULT_STREAM for the second.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "cudart/driver_seam.h"

// A program may be linked to this library and NVIDIA's runtime, and meet the emulated one when it
// starts.
#pragma weak xfer_emulator_allocation
#pragma weak xfer_emulator_current_device
#pragma weak xfer_emulator_exchange_last_error
#pragma weak xfer_emulator_fill
#pragma weak xfer_emulator_kernel_parameter
#pragma weak xfer_emulator_module_of

namespace xfer::emulator::driver {

/// The driver's number for it. Most are the same.
inline CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return static_cast<CUresult>(error);
  }
}

/// Whether this process has the emulated runtime. If not, that is said, once.
bool is_emulated();

/// call() -> cudaError_t, of the runtime. cudaGetLastError does not tell of it.
template <typename Call>
CUresult forward(Call&& call) {
  if (!is_emulated()) return CUDA_ERROR_NOT_INITIALIZED;
  const cudaError_t before = xfer_emulator_exchange_last_error(cudaSuccess);
  const cudaError_t error = call();
  xfer_emulator_exchange_last_error(before);
  return result_of(error);
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace xfer::emulator::driver
