// Device memory that others may have filled, or that nothing reads.

#include <cuda_runtime.h>

#include <cstring>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }
__global__ void add(const float* a, const float* b, float* out, int n) {
  out[threadIdx.x % n] = a[0] + b[threadIdx.x % n];
}

__global__ void unused(const float* x, float* y, float* never) { y[0] = x[0]; }
__global__ void casts(const float* x) {
  float* y = (float*)((char*)x + 4);
  y[0] = 1;
}

template <class F>
__global__ void each(F f) {
  f(threadIdx.x);
}

struct Params {
  void* out;
  int n;
};

float* kept;
void set(Params& params, float* out) {
  memset(&params, 0, sizeof(params));
  params.out = out;
}

void keep(float* p) { kept = p; }
void run(Params& params);
void run_kept();

void not_read(int n) {
  float *a, *o, *u;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float));
  cudaMalloc(&u, n * sizeof(float));
  cudaMemset(a, 0, n);
  unused<<<1, 1>>>(a, o, u);
}

void in_a_record(int n, float* result) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  Params params;
  set(params, a);
  run(params);
  cudaMemcpy(result, a, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void in_a_global(int n, float* result) {
  float* b;
  cudaMalloc(&b, n * sizeof(float));
  keep(b);
  run_kept();
  cudaMemcpy(result, b, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void by_a_cast(int n, float* result) {
  float* c;
  cudaMalloc(&c, n * sizeof(float));
  casts<<<1, n>>>(c);
  cudaMemcpy(result, c, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void swapped(int n, float* result, int steps, bool one) {
  float *in, *out, *other;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&other, n * sizeof(float));
  cudaMemset(in, 0, n);
  for (int step = 0; step < steps; ++step) {
    add<<<1, n>>>(in, in, out, n);
    float* t = in;
    in = out;
    out = t;
  }
  cudaMemcpy(result, in, n * sizeof(float), cudaMemcpyDeviceToHost);
  float* chosen = one ? in : out;
  cudaMemcpy(result, chosen, n * sizeof(float), cudaMemcpyDeviceToHost);
  float* either = one ? other : in;
  scale<<<1, n>>>(either, n);
  cudaMemcpy(result, other, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void by_a_lambda(int n, float* result) {
  float* l;
  cudaMalloc(&l, n * sizeof(float));
  auto work = [=] __device__(int i) {
    float* to = l + i;
    *to = i;
  };
  each<<<1, n>>>(work);
  cudaMemcpy(result, l, n * sizeof(float), cudaMemcpyDeviceToHost);
}
