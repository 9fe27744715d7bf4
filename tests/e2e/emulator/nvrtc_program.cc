// A program that compiles its kernel when it runs.

#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>

int main() {
  const char* const source =
      "template <typename T> __global__ void twice(T* values) { values[threadIdx.x] *= 2; }";
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source, "twice.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return 1;
  nvrtcAddNameExpression(program, "twice<float>");
  const char* const options[] = {"-arch=compute_80"};
  if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS) return 2;
  const char* name = nullptr;
  nvrtcGetLoweredName(program, "twice<float>", &name);
  std::size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, '\0');
  nvrtcGetPTX(program, ptx.data());

  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr values = 0;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  if (cuModuleLoadData(&module, ptx.c_str()) != CUDA_SUCCESS) return 3;
  if (cuModuleGetFunction(&function, module, name) != CUDA_SUCCESS) return 4;
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
