// The driver API: memory of a device is named by a number.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void in_elements(CUfunction kernel, int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemcpyHtoD(d, h.data(), n));  // LINT: copy-size
  void* parameters[] = {&d, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemFree(d));
}

void beyond_the_end(CUfunction kernel, int n) {
  std::vector<float> h(2 * n);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  void* parameters[] = {&d, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(h.data(), d, 2 * n * sizeof(float)));  // LINT: copy-size
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}

class Layer {
 public:
  void load(const std::vector<float>& h) {
    CHECK(cuMemAlloc(&weights_, n_ * sizeof(float)));
    CHECK(cuMemcpyHtoD(weights_, h.data(), n_));  // LINT: copy-size
  }
  ~Layer() { cuMemFree(weights_); }

 private:
  CUdeviceptr weights_ = 0;
  int n_ = 16;
};

void upload(CUdeviceptr to, const float* from, std::size_t bytes) {
  CHECK(cuMemcpyHtoD(to, from, bytes));
}

void by_a_helper(int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  upload(d, h.data(), n);  // LINT: copy-size
  CHECK(cuMemFree(d));
}
