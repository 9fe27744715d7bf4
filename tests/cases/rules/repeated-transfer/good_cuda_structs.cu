// Kernels that are given an object by value, and write where its pointer points, or may.
#include <cuda_runtime.h>

struct Particles {
  double *x, *v;
  int n;
};

struct View {
  float* data;
  __device__ float& operator()(int i) { return data[i]; }
  __device__ float get(int i) const { return data[i]; }
};

__device__ void clear(Particles p, int i) { p.x[i] = 0; }

__global__ void by_its_field(Particles p) { p.x[threadIdx.x] += p.v[threadIdx.x]; }
__global__ void by_another_name(Particles p) {
  double* to = p.x;
  to[threadIdx.x] = p.v[threadIdx.x];
}
__global__ void in_a_function(Particles p) { clear(p, threadIdx.x); }
__global__ void by_a_reference(View from, View to) {
  float& first = from(threadIdx.x);
  first = to.get(threadIdx.x);
}
__global__ void kept(Particles p, Particles* where) { *where = p; }

void written_by_its_field(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  by_its_field<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  by_its_field<<<1, 16>>>(p);
}

void written_by_another_name(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  by_another_name<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  by_another_name<<<1, 16>>>(p);
}

void written_in_a_function(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  in_a_function<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  in_a_function<<<1, 16>>>(p);
}

void written_by_a_reference(View from, View to, const float* h) {
  cudaMemcpy(from.data, h, 128, cudaMemcpyHostToDevice);
  by_a_reference<<<1, 16>>>(from, to);
  cudaMemcpy(from.data, h, 128, cudaMemcpyHostToDevice);
  by_a_reference<<<1, 16>>>(from, to);
}

void kept_by_the_device(Particles p, Particles* where, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  kept<<<1, 16>>>(p, where);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  kept<<<1, 16>>>(p, where);
}

__global__ void behind(Particles* p) { p->x[threadIdx.x] += p->v[threadIdx.x]; }

void written_behind_a_pointer(Particles* p, const double* h) {
  cudaMemcpy(p->x, h, 128, cudaMemcpyHostToDevice);
  behind<<<1, 16>>>(p);
  cudaMemcpy(p->x, h, 128, cudaMemcpyHostToDevice);
  behind<<<1, 16>>>(p);
}

__global__ void cleared(Particles p) { p.v[threadIdx.x] = p.n; }

void of_two_fields(Particles p, double* d, const double* h) {
  p.x = d;
  p.v = d;
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  cleared<<<1, 16>>>(p);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  cleared<<<1, 16>>>(p);
}
