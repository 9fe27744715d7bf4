// The pointer's target depends on the run.

#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void scale_on_host(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}

void either(int n, bool gpu) {
  std::vector<float> h(n);
  float* x = h.data();
  if (gpu) cudaMalloc(&x, n * sizeof(float));
  if (gpu)
    scale<<<1, n>>>(x, n);
  else
    scale_on_host(x, n);
}

struct View {
  float* data;
  int n;
};

__global__ void scale_view(View view) { view.data[threadIdx.x % view.n] *= 2; }

void in_a_struct(float* d, int n) { scale_view<<<1, n>>>(View{d, n}); }
