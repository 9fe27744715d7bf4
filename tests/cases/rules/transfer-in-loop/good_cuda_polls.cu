// Loops that wait until what they copy has changed.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(volatile int* counter) {
  while (*counter < 10) ++*counter;
}

void by_a_condition() {
  int seen = 0, *counter = nullptr;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<1, 1>>>(counter);
  while (seen % 2 == 0) {
    cudaMemcpy(&seen, counter, sizeof(int), cudaMemcpyDeviceToHost);
  }
  printf("%d\n", seen);
  cudaFree(counter);
}

void by_a_condition_behind(const int* counter, cudaStream_t stream) {
  int seen = 0;
  do {
    cudaMemcpyAsync(&seen, counter, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
  } while (seen < 10);
}

void by_a_break() {
  int *seen = new int[2], *counter = nullptr;
  cudaMalloc(&counter, 2 * sizeof(int));
  cudaMemset(counter, 0, 2 * sizeof(int));
  count<<<1, 1>>>(counter);
  for (;;) {
    cudaMemcpy(seen, counter, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    if (seen[0] == 10) break;
    printf("%d\n", seen[0]);
  }
  delete[] seen;
  cudaFree(counter);
}
