// Sizes are numbers, however they come about.

#include <cuda_runtime.h>

#include <cstdlib>

void use(const void* memory);

void in_a_variable(const float* input, int n) {
  const size_t size = n * sizeof(float);
  float* d = nullptr;
  cudaMalloc(&d, size);                             // NOTE: copy-size
  cudaMemcpy(d, input, n, cudaMemcpyHostToDevice);  // LINT: copy-size
  cudaMemcpy(d, input, size, cudaMemcpyHostToDevice);
  use(d);
}

void read_first(const float* input, int argc, char** argv) {
  int n = 1 << 20;
  if (argc > 1) n = atoi(argv[1]);
  size_t count, bytes;
  count = static_cast<size_t>(n) * 3;
  bytes = sizeof(float) * count;
  void* d = nullptr;
  cudaMalloc(&d, bytes);
  cudaMemcpy(static_cast<float*>(d), input, count, cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

void written_out(const double* input, int rows, int columns) {
  double* d = nullptr;
  const int all = rows * columns;
  cudaMalloc(&d, sizeof(double) * columns * rows);
  cudaMemcpy(d, input, all, cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

void another_type(const float* input, int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, input, n * sizeof(double), cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

void one_more(const int* rows, int n) {
  int* d = nullptr;
  size_t bytes = n * sizeof(int);
  cudaMalloc(&d, bytes);
  n += 1;
  cudaMemcpy(d, rows, n * sizeof(int), cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

struct Grid {
  int width, height;
};

void of_a_record(const Grid& grid, const float* cells) {
  float* d = nullptr;
  cudaMalloc(&d, grid.width * grid.height * sizeof(float));
  const int count = grid.width * grid.height;
  for (int step = 0; step < 10; ++step) {
    cudaMemcpy(d, cells, count, cudaMemcpyHostToDevice);  // LINT: copy-size
    use(d);
  }
}

const int kCount = 1000;
const int kBytes = sizeof(double) * kCount;

void of_constants(const double* input) {
  double* d = nullptr;
  cudaMalloc(&d, kBytes);
  cudaMemcpy(d, input, kCount, cudaMemcpyHostToDevice);  // LINT: copy-size
  cudaMemcpy(d, input, kBytes, cudaMemcpyHostToDevice);
  use(d);
}
