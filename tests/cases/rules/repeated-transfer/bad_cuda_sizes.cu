// A part of memory is what its size says: the same as long as nobody changes the count.

#include <cuda_runtime.h>

#include <vector>

__global__ void add(float* a, const float* b, float* out, int n) {
  out[threadIdx.x % n] = a[threadIdx.x % n] + b[threadIdx.x % n];
}

int parse(const char*);
void scan(int*);

void in_a_loop(const char* text, const float* h, float* d, float* o, int steps) {
  int n = 1;
  n = parse(text);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    add<<<1, n>>>(d, d, o, n);
  }
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<1, n>>>(d, d, o, n);
    n /= 2;
  }
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scan(&n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

int count;
void set_count();
void set_here() { count = 3; }

void of_a_global(const float* h, float* d) {
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  set_here();
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  set_count();
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  count = 2;
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
}

void of_a_vector(float* d, std::vector<float>& v) {
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
  v.resize(3);
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void by_another_name(const float* h, float* d, int n) {
  int& other = n;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  other = 3;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

struct Model {
  int n;
  float *weights, *host;
  void upload();
  void grow();
};

void Model::upload() {
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  grow();
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
  n *= 2;
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
}
