// Heat flow on a grid in plain CUDA, with the waste that such programs often have: the
// conductivity, which never changes, is sent before every step, and the grid is brought back and
// sent again between steps although the host only looks at it.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kWidth = 256;
constexpr int kSteps = 10;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "heat: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

__global__ void step(const float* grid, const float* conductivity, float* next, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= width - 1 || y >= width - 1) return;
  const int i = y * width + x;
  next[i] = grid[i] + conductivity[i] * (grid[i - 1] + grid[i + 1] + grid[i - width] +
                                         grid[i + width] - 4 * grid[i]);
}

int main() {
  constexpr size_t kBytes = kWidth * kWidth * sizeof(float);
  std::vector<float> grid(kWidth * kWidth, 20.0f);
  const std::vector<float> conductivity(kWidth * kWidth, 0.1f);
  grid[kWidth * kWidth / 2] = 1000.0f;

  float* device_grid = nullptr;
  float* device_next = nullptr;
  float* device_conductivity = nullptr;
  CHECK(cudaMalloc(&device_grid, kBytes));
  CHECK(cudaMalloc(&device_next, kBytes));
  CHECK(cudaMalloc(&device_conductivity, kBytes));

  const dim3 block(16, 16);
  const dim3 blocks(kWidth / block.x, kWidth / block.y);
  CHECK(cudaMemcpy(device_grid, grid.data(), kBytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < kSteps; ++i) {
    CHECK(cudaMemcpy(device_conductivity, conductivity.data(), kBytes, cudaMemcpyHostToDevice));
    step<<<blocks, block>>>(device_grid, device_conductivity, device_next, kWidth);
    CHECK(cudaMemcpy(grid.data(), device_next, kBytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(device_grid, grid.data(), kBytes, cudaMemcpyHostToDevice));
  }
  std::printf("heat: %d steps on a %d x %d grid\n", kSteps, kWidth, kWidth);
  CHECK(cudaFree(device_conductivity));
  CHECK(cudaFree(device_next));
  CHECK(cudaFree(device_grid));
  return 0;
}
