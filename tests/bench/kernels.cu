// Kernels as people write them, on a device.

#include <cuda_runtime.h>

#include "kernels.h"

namespace {

using namespace bench;

__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) c[i] = a[i] + b[i];
}

__global__ void multiply(const float* a, const float* b, float* c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += a[y * kSide + k] * b[k * kSide + x];
  c[y * kSide + x] = sum;
}

template <int kTile>
__global__ void multiply_tiled(const float* a, const float* b, float* c) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < kSide / kTile; ++tile) {
    left[threadIdx.y][threadIdx.x] = a[y * kSide + tile * kTile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile * kTile + threadIdx.y) * kSide + x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[y * kSide + x] = sum;
}

__device__ float sum_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0U, value, step);
  return value;
}

__global__ void reduce(const float* in, float* out) {
  __shared__ float sums[32];
  const float sum = sum_of_warp(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const float all = sum_of_warp(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

__global__ void histogram(const unsigned char* bytes, int* counts) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < kCount * 4; i += gridDim.x * 256)
    atomicAdd(&own[bytes[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__device__ float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

__global__ void black_scholes(const float* prices, float* calls, float* puts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float price = prices[i] + 1, strike = 2, years = 1, rate = 0.02f, volatility = 0.3f;
  const float root = sqrtf(years);
  const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) /
                   (volatility * root);
  const float d2 = d1 - volatility * root;
  const float discount = expf(-rate * years);
  calls[i] = price * normal(d1) - strike * discount * normal(d2);
  puts[i] = strike * discount * (1 - normal(d2)) - price * (1 - normal(d1));
}

__global__ void mandelbrot(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = -2 + 3.f * x / kPicture, cy = -1.5f + 3.f * y / kPicture;
  float zx = 0, zy = 0;
  int turns = 0;
  for (; turns < kMostTurns && zx * zx + zy * zy < 4; ++turns) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
  }
  out[y * kPicture + x] = turns;
}

__global__ void multiply_sparse(const int* columns, const float* values, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = row * kInRow; k < (row + 1) * kInRow; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

template <class Launch>
void measure_launch(const char* name, Launch launch) {
  measure(name, [&] {
    launch();
    cudaDeviceSynchronize();
  });
}

}  // namespace

int main() {
  float *a, *b, *c;
  int* where;
  const std::size_t bytes = kCount * sizeof(float);
  const std::vector<float> values = numbers(kCount);
  const std::vector<int> places = columns();
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMalloc(&where, places.size() * sizeof(int));
  cudaMemcpy(a, values.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, values.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(where, places.data(), places.size() * sizeof(int), cudaMemcpyHostToDevice);
  int* const integers = reinterpret_cast<int*>(c);
  const dim3 wide(32, 8), square(16, 16), large(32, 32);
  measure_launch("vectorAdd", [&] { add<<<kCount / 256, 256>>>(a, b, c); });
  measure_launch("matmul", [&] { multiply<<<dim3(kSide / 32, kSide / 8), wide>>>(a, b, c); });
  measure_launch("tiled-16",
                 [&] { multiply_tiled<16><<<dim3(kSide / 16, kSide / 16), square>>>(a, b, c); });
  measure_launch("tiled-32",
                 [&] { multiply_tiled<32><<<dim3(kSide / 32, kSide / 32), large>>>(a, b, c); });
  measure_launch("reduction", [&] { reduce<<<kCount / 256, 256>>>(a, c); });
  measure_launch("histogram", [&] {
    histogram<<<64, 256>>>(reinterpret_cast<const unsigned char*>(a), integers);
  });
  measure_launch("Black-Scholes", [&] { black_scholes<<<kCount / 256, 256>>>(a, b, c); });
  measure_launch("mandelbrot",
                 [&] { mandelbrot<<<dim3(kPicture / 32, kPicture / 8), wide>>>(integers); });
  measure_launch("spmv", [&] { multiply_sparse<<<kRows / 256, 256>>>(where, a, b, c); });
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::fprintf(stderr, "kernels: %s\n", cudaGetErrorString(error));
    return 1;
  }
}
