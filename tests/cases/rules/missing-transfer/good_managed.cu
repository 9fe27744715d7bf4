// Managed memory that the host, a kernel or somebody else fills.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void scale(const double* factors, double* y) { y[threadIdx.x] *= factors[threadIdx.x]; }
__global__ void fill(double* y) { y[threadIdx.x] = 1; }

void init(double* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = 1;
}
void load(double* p, int n);

void by_functions(int n) {
  double *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMallocManaged(&a, n * sizeof(double));
  cudaMallocManaged(&b, n * sizeof(double));
  cudaMallocManaged(&c, n * sizeof(double));
  init(a, n);
  load(b, n);
  scale<<<1, n>>>(a, b);
  fill<<<1, n>>>(c);
  scale<<<1, n>>>(c, b);
  cudaDeviceSynchronize();
  std::printf("%f\n", b[0]);
}

void by_other_names(int n) {
  double *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMallocManaged(&a, n * sizeof(double));
  cudaMallocManaged(&b, n * sizeof(double));
  cudaMallocManaged(&c, n * sizeof(double));
  double* alias = a;
  for (int i = 0; i < n; ++i) alias[i] = 1;
  double& first = b[0];
  first = 3;
  std::memset(c, 0, n * sizeof(double));
  cudaMemPrefetchAsync(a, n * sizeof(double), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0);
  scale<<<1, n>>>(a, b);
  scale<<<1, n>>>(c, b);
  cudaDeviceSynchronize();
  std::printf("%f\n", b[0]);
}

struct Pair {
  double* factors;
  double* y;
};

void in_an_object(int n) {
  Pair* pair = nullptr;
  cudaMallocManaged(&pair, sizeof(Pair));
  cudaMallocManaged(&pair->factors, n * sizeof(double));
  cudaMallocManaged(&pair->y, n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    pair->factors[i] = 1;
    pair->y[i] = 2;
  }
  scale<<<1, n>>>(pair->factors, pair->y);
  cudaDeviceSynchronize();
  std::printf("%f\n", pair->y[0]);
}

void on_one_path(int n, const double* from) {
  double *a = nullptr, *b = nullptr;
  cudaMallocManaged(&a, n * sizeof(double));
  cudaMallocManaged(&b, n * sizeof(double));
  if (from != nullptr) std::memcpy(a, from, n * sizeof(double));
  std::memset(b, 0, n * sizeof(double));
  scale<<<1, n>>>(a, b);
  cudaDeviceSynchronize();
  std::printf("%f\n", b[0]);
}
