// Copies say of which side memory is, and who follows it keeps to that, or may.
#include <cuda_runtime.h>

#include <vector>

__global__ void step(float* x) { x[threadIdx.x] += 1; }

void as_told(const float* input, float* output, float* h, int n) {
  cudaMemcpy(h, input, n * sizeof(float), cudaMemcpyDeviceToHost);
  h[0] += 1;
  cudaMemcpy(output, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

// Another branch than the copy's.
float either(const float* x, int n, bool on_device) {
  float first = 0;
  if (on_device)
    cudaMemcpy(&first, x, sizeof(float), cudaMemcpyDeviceToHost);
  else
    first = x[0];
  return first + n;
}

// The pointer is another one by then.
float moved_on(float* x, float* h, int n) {
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  x = h;
  return x[0];
}

// Of either side, as the runtime finds out.
float by_default(const float* x, float* h, int n) {
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDefault);
  return x[0];
}

// Two copies contradict each other: the side of the memory is unknown.
void of_both(float* x, float* h, float* d, int n) {
  cudaMemcpy(d, x, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  x[0] = 1;
}
