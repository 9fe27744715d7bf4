// HIP: the same runtime under another prefix.

#include <hip/hip_runtime.h>

#include <cstdlib>

void wrong_way(int n) {
  float* d = nullptr;
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i) h[i] = 1;
  hipMalloc(&d, n * sizeof(float));
  hipMemcpy(d, h, n * sizeof(float), hipMemcpyDeviceToHost);  // LINT: copy-kind
  hipFree(d);
  std::free(h);
}

void named_by_the_copy(int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i) h[i] = 1;
  void* d = nullptr;
  hipMalloc(&d, n * sizeof(float));
  hipMemcpyDtoH(d, h, n * sizeof(float));  // LINT: copy-kind
  hipFree(d);
  std::free(h);
}
