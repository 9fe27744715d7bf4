// Kernels that are given an object by value, and only read where its pointer points.
#include <cuda_runtime.h>

struct Particles {
  double *x, *v;
  int n;
};

struct View {
  float* data;
  __device__ float& operator()(int i) { return data[i]; }
  __device__ float get(int i) const { return data[i]; }
  __device__ void set(int i, float x) { data[i] = x; }
};

__device__ double twice(const Particles& p, int i) { return 2 * p.x[i]; }

__global__ void by_its_field(Particles p) {
  const int i = threadIdx.x;
  if (i < p.n) p.v[i] = p.x[i];
}
__global__ void by_another_name(Particles p) {
  double* from = p.x;
  p.v[threadIdx.x] = from[threadIdx.x];
}
__global__ void in_a_function(Particles p) { p.v[threadIdx.x] = twice(p, threadIdx.x); }
__global__ void by_methods(View from, View to) {
  to(threadIdx.x) = from.get(threadIdx.x);
  to.set(threadIdx.x, from(threadIdx.x));
}

void read_by_its_field(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  by_its_field<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  by_its_field<<<1, 16>>>(p);
}

void read_by_another_name(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  by_another_name<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  by_another_name<<<1, 16>>>(p);
}

void read_in_a_function(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  in_a_function<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  in_a_function<<<1, 16>>>(p);
}

void read_by_methods(View from, View to, const float* h) {
  cudaMemcpy(from.data, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  by_methods<<<1, 16>>>(from, to);
  cudaMemcpy(from.data, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  by_methods<<<1, 16>>>(from, to);
}
