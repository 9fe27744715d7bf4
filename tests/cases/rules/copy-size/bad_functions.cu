// Functions allocate, and functions copy: sizes go through them.

#include <cuda_runtime.h>

#include <cstdlib>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::abort()

float* make(int n) {
  float* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(float)));
  return p;
}

void make(float** p, int rows, int columns) { cudaMalloc(p, rows * columns * sizeof(float)); }

template <class T>
T* allocate(std::size_t n) {
  void* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  return static_cast<T*>(p);
}

float* make_twice(int n) { return make(2 * n); }

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

template <class T>
void upload(T* to, const T* from, int n) {
  CHECK(cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice));
}

void allocated(const float* h, int n, int m) {
  float* a = make(n);
  cudaMemcpy(a, h, n, cudaMemcpyHostToDevice);  // LINT: copy-size
  float* b = nullptr;
  make(&b, n, m);
  cudaMemcpy(b, h, n * m, cudaMemcpyHostToDevice);                    // LINT: copy-size
  cudaMemcpy(b, h, n * m * sizeof(double), cudaMemcpyHostToDevice);  // LINT: copy-size
  double* c = allocate<double>(n);
  cudaMemcpy(c, h, n, cudaMemcpyHostToDevice);  // LINT: copy-size
  float* d = make_twice(n);
  cudaMemcpy(d, h, n * 3 * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-size
}

void copied(const float* h, int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  copy_bytes(d, h, n);  // LINT: copy-size
  upload(d, h, n * sizeof(float));  // LINT: copy-size
  float* e = make(n);
  copy_bytes(e, h, n * sizeof(double));  // LINT: copy-size
}

int default_count();
void upload_some(float* to, const float* from, std::size_t bytes, int times = default_count()) {
  for (int i = 0; i < times; ++i) cudaMemset(to, 0, bytes);
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}

void with_defaults(const float* h, int n) {
  float* d = make(n);
  upload_some(d, h, n);  // LINT: copy-size
}
