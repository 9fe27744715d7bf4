// Memory of variables of the file, which another function allocates.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int count = 0;
static float* dev_positions = nullptr;
static float* dev_colors = nullptr;
int* dev_flags = nullptr;

__global__ void move(float* positions, float* colors, int* flags) {
  positions[threadIdx.x] += colors[threadIdx.x] + flags[threadIdx.x];
}

void set_up(int n) {
  count = n;
  cudaMalloc(&dev_positions, n * sizeof(float));
  cudaMalloc(&dev_colors, 3 * count * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&dev_flags), 256 * sizeof(int));
}

void tear_down() {
  cudaFree(dev_positions);
  cudaFree(dev_colors);
  cudaFree(dev_flags);
  dev_positions = nullptr;
}

void upload(const std::vector<float>& positions, const float* colors, const int* flags) {
  cudaMemcpy(dev_positions, positions.data(), count,  // LINT: copy-size
             cudaMemcpyHostToDevice);
  cudaMemcpy(dev_colors, colors, 3 * count, cudaMemcpyHostToDevice);        // LINT: copy-size
  cudaMemcpy(dev_flags, flags, 512 * sizeof(int), cudaMemcpyHostToDevice);  // LINT: copy-size
  move<<<1, count>>>(dev_positions, dev_colors, dev_flags);
}
