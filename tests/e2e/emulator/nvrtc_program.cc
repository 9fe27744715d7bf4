// A program that compiles its kernel when it runs. The options of the compiler may be given; for a
// real architecture it takes machine code, as on a GPU.

#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>

int main(int argc, char** argv) {
  const char* const source =
      "template <typename T> __global__ void twice(T* values) { values[threadIdx.x] *= 2; }";
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source, "twice.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return 1;
  nvrtcAddNameExpression(program, "twice<float>");
  const char* const by_default[] = {"-arch=compute_80"};
  const bool given = argc > 1;
  if (nvrtcCompileProgram(program, given ? argc - 1 : 1, given ? argv + 1 : by_default) !=
      NVRTC_SUCCESS)
    return 2;
  const char* name = nullptr;
  nvrtcGetLoweredName(program, "twice<float>", &name);
  const bool is_real = given && std::strstr(argv[argc - 1], "sm_") != nullptr;
  std::size_t bytes = 0;
  (is_real ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &bytes);
  std::string code(bytes, '\0');
  (is_real ? nvrtcGetCUBIN : nvrtcGetPTX)(program, code.data());

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
