// Memory of the host: vectors, arrays, what new and malloc make.

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

void use(const void* memory);

void of_vectors(float* d, float* e, int n) {
  std::vector<float> v(n);
  cudaMemcpy(d, v.data(), v.size(), cudaMemcpyHostToDevice);            // LINT: copy-size
  cudaMemcpy(e, &v[0], n, cudaMemcpyHostToDevice);                      // LINT: copy-size
  cudaMemcpy(d, v.data(), n * sizeof(double), cudaMemcpyHostToDevice);  // LINT: copy-size
}

void of_arrays(float* d) {
  float a[256] = {};
  cudaMemcpy(d, a, 256, cudaMemcpyHostToDevice);                  // LINT: copy-size
  cudaMemcpy(d, a, 257 * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-size
}

void of_others(float* d, int n) {
  float* a = new float[n];
  cudaMemcpy(a, d, n, cudaMemcpyDeviceToHost);  // LINT: copy-size
  float* b = (float*)std::malloc(n * sizeof(float));
  cudaMemcpy(b, d, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-size
  use(a);
  use(b);
}

struct Model {
  std::vector<float> weights;
  float* on_device;
  void upload() {
    cudaMemcpy(on_device, weights.data(), weights.size(), cudaMemcpyHostToDevice);  // LINT: copy-size
  }
};
