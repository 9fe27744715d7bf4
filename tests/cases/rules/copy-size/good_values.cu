// Numbers that are not what they were, or of which one does not say which is larger.

#include <cuda_runtime.h>

#include <cstdlib>

void use(const void* memory);
void choose(int* n);

void already_bytes(const float* input, int n) {
  float* d = nullptr;
  n *= sizeof(float);
  cudaMalloc(&d, n);
  cudaMemcpy(d, input, n, cudaMemcpyHostToDevice);
  use(d);
}

void made_bytes_later(const float* input, int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  n = n * 4;
  cudaMemcpy(d, input, n, cudaMemcpyHostToDevice);
  use(d);
}

void chosen_in_between(const float* input, int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  choose(&n);
  cudaMemcpy(d, input, n, cudaMemcpyHostToDevice);
  use(d);
}

void chunks(const float* input, int n, int chunks) {
  float* d = nullptr;
  const int each = n / chunks;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < chunks; ++i) {
    const int begin = i * each;
    cudaMemcpy(d + begin, input + begin, each * sizeof(float), cudaMemcpyHostToDevice);
  }
  use(d);
}

void room_to_grow(const float* input, int n) {
  float* d = nullptr;
  const int room = 2 * n + 16;
  cudaMalloc(&d, room * sizeof(float));
  cudaMemcpy(d, input, n * sizeof(float), cudaMemcpyHostToDevice);
  use(d);
}

void of_one_path(const float* input, int n, bool padded) {
  float* d = nullptr;
  int room = n;
  if (padded) room = n + 32;
  cudaMalloc(&d, room * sizeof(float));
  cudaMemcpy(d, input, (padded ? n + 32 : n) * sizeof(float), cudaMemcpyHostToDevice);
  use(d);
}

void less(const double* input, int n) {
  double* d = nullptr;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, input, n * sizeof(float), cudaMemcpyHostToDevice);
  use(d);
}

struct Sizes {
  int count;
  void grow();
};

void grown_by_others(Sizes& sizes, const float* input) {
  float* d = nullptr;
  cudaMalloc(&d, sizes.count * sizeof(float));
  sizes.grow();
  cudaMemcpy(d, input, sizes.count, cudaMemcpyHostToDevice);
  use(d);
}

// A part, by constants of its own.
const int kAll = 4096;
const int kHeader = 1024;

void a_header(const char* input) {
  char* d = nullptr;
  cudaMalloc(&d, kAll);
  cudaMemcpy(d, input, kHeader, cudaMemcpyHostToDevice);
  use(d);
}
