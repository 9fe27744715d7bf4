// Functions that devices run follow memory of a device.

#include <cuda_runtime.h>

struct Index {
  explicit Index(int n) { cudaMalloc((void**)&table, n * sizeof(int)); }
  __device__ int at(int i) const { return table[i]; }
  __host__ __device__ int first() const { return table[0]; }
  __host__ __device__ int second() const { return *(table + 1); }

  int* table = nullptr;
};

__global__ void fill(Index index, int* out) {
  out[threadIdx.x] = index.first() + index.second() + index.at(2);
}

void run(int n, int* out) {
  Index index(n);
  cudaMemset(index.table, 0, n * sizeof(int));
  fill<<<1, n>>>(index, out);
}
