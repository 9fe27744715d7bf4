#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(float* x) { x[threadIdx.x] *= 2; }

void of_a_vector(float* x, int n) {
  std::vector<float> out(n), sums(n);
  step<<<1, 32>>>(x);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: unused-transfer
  cudaMemcpy(sums.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", sums[0]);
}

void brought_and_taken(float* x, int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  step<<<1, 32>>>(x);
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: unused-transfer
  std::free(h);
}
