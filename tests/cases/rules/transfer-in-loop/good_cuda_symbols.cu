// Variables of the device, set each time round to something else, or because a kernel changes them.

#include <cuda_runtime.h>

__constant__ float step_size;
__constant__ float window[16];
__device__ float total[16];

__global__ void advance_with(float* state) {
  state[threadIdx.x] += step_size + window[0];
  total[threadIdx.x % 16] += 1;
}

void set_step(float to) { cudaMemcpyToSymbol(step_size, &to, sizeof(to)); }

void adaptive(float* state, int steps) {
  float size = 0.01f;
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyToSymbol(step_size, &size, sizeof(size));
    advance_with<<<1, 32>>>(state);
    size *= 0.5f;
  }
}

void set_elsewhere(float* state, int steps) {
  const float size = 0.01f;
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyToSymbol(step_size, &size, sizeof(size));
    advance_with<<<1, 32>>>(state);
    set_step(2 * size);
    advance_with<<<1, 32>>>(state);
  }
}

void sliding(float* state, const float* values, int steps) {
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyToSymbol(window, values + step, sizeof(window));
    advance_with<<<1, 32>>>(state);
  }
}

void reset(float* state, const float* zeros, int steps) {
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyToSymbol(total, zeros, sizeof(total));
    advance_with<<<1, 32>>>(state);
  }
}
