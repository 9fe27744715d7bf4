// Elements for bytes, by HIP.

#include <hip/hip_runtime.h>

void use(const void* memory);

void elements(const float* h, int n) {
  float* d = nullptr;
  hipMalloc((void**)&d, n * sizeof(float));
  hipMemcpy(d, h, n, hipMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}
