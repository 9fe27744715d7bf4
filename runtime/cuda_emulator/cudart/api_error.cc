// Errors: names, texts, and the one that each thread remembers.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/error_names.h"

using namespace xfer::emulator;

extern "C" {

cudaError_t cudaGetLastError() {
  ThreadContext& thread = this_thread_context();
  const cudaError_t error = thread.last_error;
  thread.last_error = cudaSuccess;
  if (const Machine* const machine = Machine::existing()) {
    if (error == cudaSuccess) return machine->lost();
  }
  return error;
}

cudaError_t cudaPeekAtLastError() { return this_thread_context().last_error; }

const char* cudaGetErrorName(cudaError_t error) { return error_text(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return error_text(error).description; }
}
