// The helper is given no number that changes, or comes behind the launch.

#include <cuda_runtime.h>

__global__ void use(const float3* axes, float* out, int frame) {
  out[threadIdx.x] = axes[3 * frame + threadIdx.x % 3].x;
}

static void set_axes(float3* axes, const float* angles, int frame) {
  const int first = 3 * frame;
  for (int i = 0; i < 3; ++i) axes[first + i].x = angles[i];
}

void same_part(const float* angles, float* out, int count) {
  float3* axes;
  cudaMallocManaged(&axes, 3 * sizeof(float3));
  for (int frame = 0; frame < count; ++frame) {
    set_axes(axes, angles, 0);  // LINT: async-source-reuse
    use<<<1, 32>>>(axes, out, 0);
  }
  cudaDeviceSynchronize();
  cudaFree(axes);
}

void behind(const float* angles, float* out, int frame) {
  float3* axes;
  cudaMallocManaged(&axes, 9 * sizeof(float3));
  set_axes(axes, angles, frame);
  use<<<1, 32>>>(axes, out, frame);
  set_axes(axes, angles, frame);  // LINT: async-source-reuse
  cudaDeviceSynchronize();
  cudaFree(axes);
}
