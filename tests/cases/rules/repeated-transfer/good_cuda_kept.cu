// Pointers that are kept elsewhere: in records, arrays and lambdas. And a macro that writes a call
// twice.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

struct Args {
  float* x;
};

struct List {
  float* items[4];
};

void start(Args* args);
void later(List& list);

void kept(int n, float* h) {
  float *a, *b, *c, *e;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(e, h, n * sizeof(float), cudaMemcpyHostToDevice);
  Args args{a};
  start(&args);
  List list;
  list.items[0] = b;
  later(list);
  float* locals[] = {c};
  scale<<<1, n>>>(locals[0], n);
  auto lambda = [=] { scale<<<1, n>>>(e, n); };
  lambda();
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(e, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

#define TWICE(call)                                 \
  do {                                              \
    if ((call) != cudaSuccess) {                    \
      cudaError_t error = call;                     \
      std::printf("%s", cudaGetErrorString(error)); \
    }                                               \
  } while (0)

void twice(int n, float* h, float* d) {
  TWICE(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
}
