// The objects that hold the pointer are only read, or given to nobody.

#include <cuda_runtime.h>

struct Task {
  const float* data;
  float* out;
};

__global__ void add(Task task) { task.out[threadIdx.x] = task.data[threadIdx.x]; }
static void launch(Task task) { add<<<1, 32>>>(task); }

void only_read(float* host, int n) {
  float *data, *out;
  cudaMalloc(&data, n);
  cudaMalloc(&out, n);
  Task task{data, out};
  add<<<1, 32>>>(task);  // LINT: missing-transfer
  cudaMemcpy(host, out, n, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(out);
}

void not_launched(float* host, int n) {
  float* out;
  cudaMalloc(&out, n);
  Task task{host, out};
  cudaMemcpy(host, out, n, cudaMemcpyDeviceToHost);  // LINT: missing-transfer
  cudaMemset(out, 0, n);
  launch(task);
  cudaFree(out);
}
