#include "backend/cuda/check.h"

#include <string>

#include "backend/cuda/index_faults.h"

namespace tensorlib::cuda {

void throw_cuda_error(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaErrorLaunchFailure) throw_noted_fault();
  throw DeviceError(std::string("CUDA: ") + cudaGetErrorName(error) + " (" +
                        cudaGetErrorString(error) + ")\n  in " + call + "\n  of " + file + ":" +
                        std::to_string(line),
                    CallSite::none());
}

}  // namespace tensorlib::cuda
