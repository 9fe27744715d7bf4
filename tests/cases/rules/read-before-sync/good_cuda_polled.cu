// Both sides talk through memory that both have: each waits for what the other writes.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void answer(int* counter) {
  do {
    while (*counter % 2 == 1);
    ++*counter;
    __threadfence_system();
  } while (*counter < 10);
}

void play() {
  int* counter;
  cudaHostAlloc(&counter, sizeof(int), cudaHostAllocMapped);
  *counter = 0;
  answer<<<1, 1>>>(counter);
  do {
    std::printf("%d\n", *counter);
    while (*counter % 2 == 0) continue;
    ++*counter;
  } while (*counter < 10);
  cudaFreeHost(counter);
}
