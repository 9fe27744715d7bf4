// A stream that the null stream does not wait for: the first copy may come before its work.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void early_and_late(const std::vector<int>& h, int n) {
  cudaStream_t stream;
  int *from = nullptr, *to = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&from, n * sizeof(int));
  cudaMalloc(&to, n * sizeof(int));
  cudaMemcpy(from, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(to, 0, n * sizeof(int));
  cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  std::vector<int> early(n), late(n);
  cudaMemcpy(early.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", early[0]);
  cudaStreamSynchronize(stream);
  cudaMemcpy(early.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", early[0]);
  cudaFree(from);
  cudaFree(to);
  cudaStreamDestroy(stream);
}
