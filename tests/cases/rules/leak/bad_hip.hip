#include <hip/hip_runtime.h>

void in_the_loop(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    hipMalloc(reinterpret_cast<void**>(&scratch), n * sizeof(float));  // LINT: leak
    hipMemcpy(scratch, x, n * sizeof(float), hipMemcpyDeviceToDevice);
    hipMemcpy(x, scratch, n * sizeof(float), hipMemcpyDeviceToDevice);
  }
}

void freed(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    hipMalloc(reinterpret_cast<void**>(&scratch), (n + step) * sizeof(float));
    hipMemcpy(scratch, x, n * sizeof(float), hipMemcpyDeviceToDevice);
    hipFree(scratch);
  }
}
