#pragma once
// Loads what a program compiled or linked, and runs its kernel on four numbers.

#include <cuda.h>

#include <cstdio>
#include <string>

/// The exit code of the program: 0, or a number for the call that failed.
inline int run_module(const std::string& code, const char* kernel) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr values = 0;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  if (cuModuleLoadData(&module, code.c_str()) != CUDA_SUCCESS) return 3;
  if (cuModuleGetFunction(&function, module, kernel) != CUDA_SUCCESS) return 4;
  float host[] = {1, 2, 3, 4};
  cuMemAlloc(&values, sizeof(host));
  cuMemcpyHtoD(values, host, sizeof(host));
  void* arguments[] = {&values};
  if (cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS)
    return 5;
  cuMemcpyDtoH(host, values, sizeof(host));
  std::printf("%.0f %.0f %.0f %.0f\n", host[0], host[1], host[2], host[3]);
  return 0;
}
