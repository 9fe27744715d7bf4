// Each turn fills another part of what the kernels read, by a number that the helper is given.

#include <cuda_runtime.h>

__global__ void use(const float3* axes, float* out, int frame) {
  out[threadIdx.x] = axes[3 * frame + threadIdx.x % 3].x;
}

static void set_axes(float3* axes, const float* angles, int frame) {
  const int first = 3 * frame;
  for (int i = 0; i < 3; ++i) axes[first + i].x = angles[i];
}

void frames(const float* angles, float* out, int count) {
  float3* axes;
  cudaMallocManaged(&axes, 3 * count * sizeof(float3));
  for (int frame = 0; frame < count; ++frame) {
    set_axes(axes, angles, frame);
    use<<<1, 32>>>(axes, out, frame);
  }
  cudaDeviceSynchronize();
  cudaFree(axes);
}

__device__ __host__ void fill(int* values, int at) { values[at] = at + 1; }
__global__ void fill_first(int* values) { fill(values, threadIdx.x); }

// The kernel fills one half, the host the other.
void halves(int count) {
  int* values;
  cudaMallocManaged(&values, count * sizeof(int));
  fill_first<<<1, count / 2>>>(values);
  for (int at = count / 2; at < count; ++at) fill(values, at);
  cudaDeviceSynchronize();
  cudaFree(values);
}
