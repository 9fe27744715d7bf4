// Calls that are checked: what comes after the checks runs, unless one of them failed.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* c, const int* a, const int* b) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

cudaError_t add_with_goto(int* c, const int* a, const int* b, unsigned n) {
  int *dev_a = nullptr, *dev_c = nullptr;
  cudaError_t status = cudaMalloc(&dev_c, n * sizeof(int));
  if (status != cudaSuccess) {
    std::fprintf(stderr, "cudaMalloc failed\n");
    goto Error;
  }
  status = cudaMalloc(&dev_a, n * sizeof(int));
  if (cudaSuccess != status) goto Error;
  status = cudaMemcpy(dev_a, a, n * sizeof(int), cudaMemcpyHostToDevice);
  if (status != cudaSuccess) goto Error;
  add<<<1, n>>>(dev_c, dev_a, b);
  status = cudaMemcpy(c, dev_c, n * sizeof(int), cudaMemcpyDeviceToHost);
Error:
  cudaFree(dev_c);
  cudaFree(dev_a);
  return status;
}

bool add_in_branches(int* c, const int* a, const int* b, unsigned n) {
  int *dev_a = nullptr, *dev_c = nullptr;
  if (cudaMalloc(&dev_c, n * sizeof(int)) == cudaSuccess) {
    if (!cudaMalloc(&dev_a, n * sizeof(int))) {
      cudaMemcpy(dev_a, a, n * sizeof(int), cudaMemcpyHostToDevice);
      add<<<1, n>>>(dev_c, dev_a, b);
      cudaMemcpy(c, dev_c, n * sizeof(int), cudaMemcpyDeviceToHost);
      cudaFree(dev_a);
    }
    cudaFree(dev_c);
    return true;
  }
  return false;
}

int main() {
  const int a[] = {1, 2, 3}, b[] = {4, 5, 6};
  int c[3];
  if (add_with_goto(c, a, b, 3) != cudaSuccess) return 1;  // LINT: host-pointer-to-kernel
  std::printf("%d\n", c[0]);
  if (!add_in_branches(c, a, b, 3)) return 1;  // LINT: host-pointer-to-kernel
  std::printf("%d\n", c[0]);
}
