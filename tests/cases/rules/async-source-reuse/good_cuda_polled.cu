// The kernel waits for what the host writes while it runs.

#include <cuda_runtime.h>

__global__ void wait_for(int* go, int* out) {
  if (threadIdx.x == 0)
    while (go[0] == 0) {
    }
  __syncthreads();
  out[threadIdx.x] = go[1];
}

void start(int* out) {
  int* go;
  cudaMallocManaged(&go, 2 * sizeof(int));
  go[0] = 0;
  wait_for<<<1, 32>>>(go, out);
  go[1] = 7;
  go[0] = 1;
  cudaDeviceSynchronize();
  cudaFree(go);
}
