// Launches.

#include <vector>

#include "driver/driver.h"

using namespace xfer::emulator::driver;

namespace {

/// The arguments as the runtime takes them: a pointer to each.
struct Arguments {
  std::vector<void*> pointers;
  void** list = nullptr;
};

/// `extra` holds all of them in one buffer, laid out as the kernel's parameters are.
CUresult unpack(CUfunction function, void** parameters, void** extra, Arguments* to) {
  to->list = parameters;
  if (extra == nullptr) return CUDA_SUCCESS;
  if (parameters != nullptr) return CUDA_ERROR_INVALID_VALUE;
  char* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char*>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<size_t*>(extra[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  size_t offset = 0;
  size_t size = 0;
  for (size_t i = 0; xfer_emulator_kernel_parameter(function, i, &offset, &size); ++i) {
    if (buffer == nullptr || offset + size > bytes) return CUDA_ERROR_INVALID_VALUE;
    to->pointers.push_back(buffer + offset);
  }
  to->list = to->pointers.data();
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void** kernelParams, void** extra) {
  Arguments arguments;
  if (const CUresult error = unpack(f, kernelParams, extra, &arguments); error != CUDA_SUCCESS)
    return error;
  return forward([&] {
    return cudaLaunchKernel(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ},
                            arguments.list, sharedMemBytes, hStream);
  });
}

// The runtime's attributes of launches have the driver's numbers and layout.
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams,
                          void** extra) {
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Arguments arguments;
  if (const CUresult error = unpack(f, kernelParams, extra, &arguments); error != CUDA_SUCCESS)
    return error;
  cudaLaunchConfig_t its{};
  its.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ};
  its.blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ};
  its.dynamicSmemBytes = config->sharedMemBytes;
  its.stream = config->hStream;
  its.attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs);
  its.numAttrs = config->numAttrs;
  return forward([&] { return cudaLaunchKernelExC(&its, f, arguments.list); });
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void** kernelParams) {
  return forward([&] {
    return cudaLaunchCooperativeKernel(f, {gridDimX, gridDimY, gridDimZ},
                                       {blockDimX, blockDimY, blockDimZ}, kernelParams,
                                       sharedMemBytes, hStream);
  });
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  return forward([&] { return cudaLaunchHostFunc(hStream, fn, userData); });
}
}
