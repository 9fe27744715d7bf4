// Layout of a kernel's parameters by the driver (cuFuncGetParamInfo), beside the compiler's
// layout.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

struct Pair {
  char small;
  double large;
};
struct Layout {
  float* out;
  const char* in;
  char flag;
  Pair pair;
  short count;
};
__global__ void kernel(float*, const char*, char, Pair, short) {}

int main() {
  const size_t expected[][2] = {{offsetof(Layout, out), sizeof(float*)},
                                {offsetof(Layout, in), sizeof(char*)},
                                {offsetof(Layout, flag), sizeof(char)},
                                {offsetof(Layout, pair), sizeof(Pair)},
                                {offsetof(Layout, count), sizeof(short)}};
  cudaFree(nullptr);
  // By the runtime, so that nothing of the driver is needed to link.
  decltype(&cuFuncGetParamInfo) parameter_info = nullptr;
  if (cudaGetDriverEntryPointByVersion("cuFuncGetParamInfo",
                                       reinterpret_cast<void**>(&parameter_info), 12040,
                                       cudaEnableDefault, nullptr) != cudaSuccess ||
      parameter_info == nullptr) {
    std::puts("the driver has no cuFuncGetParamInfo");
    return 77;
  }
  cudaFunction_t function = nullptr;
  if (cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(kernel)) != cudaSuccess) {
    std::puts("the driver gives no function for the kernel");
    return 77;
  }
  int wrong = 0;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, size = 0;
    if (parameter_info(function, i, &offset, &size) != CUDA_SUCCESS) {
      std::printf("parameters: %zu, expected 5\n", i);
      wrong += i != 5;
      break;
    }
    std::printf("parameter %zu: offset %zu, size %zu", i, offset, size);
    if (i < 5 && (offset != expected[i][0] || size != expected[i][1])) {
      std::printf(", but the compiler's %zu, %zu", expected[i][0], expected[i][1]);
      ++wrong;
    }
    std::puts("");
  }
  return wrong != 0;
}
