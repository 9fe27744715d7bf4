#include <cuda_runtime.h>

#include <vector>

__global__ void smooth(float* x, float* scratch, int n) {
  scratch[threadIdx.x % n] = x[threadIdx.x % n];
  x[threadIdx.x % n] = scratch[threadIdx.x % n] / 2;
}

void kept(std::vector<float*>& all, float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* one = nullptr;
    cudaMalloc(&one, n * sizeof(float));
    smooth<<<1, n>>>(x, one, n);
    all.push_back(one);
  }
}

struct Node {
  float* data;
  Node* next;
};

Node* chained(float* x, int n, int count) {
  Node* first = nullptr;
  for (int node = 0; node < count; ++node) {
    float* data;
    cudaMalloc(&data, n * sizeof(float));
    smooth<<<1, n>>>(x, data, n);
    first = new Node{data, first};
  }
  return first;
}

float* whichever(float* x, int n) {
  while (true) {
    float* data = nullptr;
    cudaMalloc(&data, ++n * sizeof(float));
    smooth<<<1, n>>>(x, data, n);
    if (cudaDeviceSynchronize() == cudaSuccess) return data;
    cudaFree(data);
  }
}
