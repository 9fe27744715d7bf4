// Functions that dereference their pointer arguments, and functions that return pointers.

#include <cuda_runtime.h>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void allocate(float** p, int n) {
  if (cudaMalloc(p, n * sizeof(float)) != cudaSuccess) throw 1;
}

void allocate_reference(float*& p, int n) { cudaMalloc(&p, n * sizeof(float)); }
float* make(int n) {
  float* p;
  cudaMalloc(&p, n * sizeof(float));
  return p;
}

float* make_host(int n) { return new float[n]; }
float first(const float* x) { return x[0]; }
void run(float* x, int n) { scale<<<1, n>>>(x, n); }
void perhaps(float* x, int n, bool device) {
  if (device)
    run(x, n);
  else
    x[0] = 1;
}

struct Buffer {
  float* p;
  int n;
  explicit Buffer(int size) : n(size) { cudaMalloc(&p, n * sizeof(float)); }
  float read() { return p[0]; }  // LINT: host-access
  void work() { scale<<<1, n>>>(p, n); }
};

float all(int n) {
  float *a, *b;
  allocate(&a, n);
  allocate_reference(b, n);
  float *c = make(n), *h = make_host(n);
  run(a, n);
  run(c, n);
  perhaps(a, n, true);
  perhaps(h, n, false);
  run(h, n);  // LINT: host-pointer-to-kernel
  return first(h) + first(a)  // LINT: host-access
         + b[0]  // LINT: host-access
         + c[0];  // LINT: host-access
}
