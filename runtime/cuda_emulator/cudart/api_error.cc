// Errors: names, texts, and the one that each thread remembers.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/error_names.h"

using namespace xfer::emulator;

extern "C" {

cudaError_t cudaPeekAtLastError() {
  const Machine* const machine = Machine::existing();
  if (machine != nullptr && machine->lost() != cudaSuccess) return machine->lost();
  return this_thread_context().last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  this_thread_context().last_error = cudaSuccess;
  return error;
}

const char* cudaGetErrorName(cudaError_t error) { return error_text(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return error_text(error).description; }
}
