// Arrays of the program's that other functions change between the copies.

#include <cuda_runtime.h>

#include <cstdio>

float in[32], out[32];
__managed__ float shared[32];
__device__ float on_a_device[32];

__global__ void add(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

void fill() {
  for (int i = 0; i < 32; ++i) in[i] += i;
}
void print() {
  for (int i = 0; i < 32; ++i) printf("%f\n", out[i]);
}
void elsewhere();
void upload(float* x) { cudaMemcpy(x, in, sizeof(in), cudaMemcpyHostToDevice); }

void changed_by_a_function(float* x, float* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    fill();
    cudaMemcpy(x, in, sizeof(in), cudaMemcpyHostToDevice);
    add<<<1, 32>>>(x, sum);
    cudaMemcpy(out, sum, sizeof(out), cudaMemcpyDeviceToHost);
    print();
  }
}

void changed_by_other_code(float* x, float* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    elsewhere();
    cudaMemcpy(x, in, sizeof(in), cudaMemcpyHostToDevice);
    add<<<1, 32>>>(x, sum);
  }
}

void changed_here(float* x, float* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    in[step] = step;
    upload(x);
    add<<<1, 32>>>(x, sum);
  }
}

void changed_between_helpers(float* x, float* sum) {
  upload(x);
  add<<<1, 32>>>(x, sum);
  fill();
  upload(x);
  add<<<1, 32>>>(x, sum);
}

// Read by print, or by code that is not here.
void kept(const float* sum) { cudaMemcpy(out, sum, sizeof(out), cudaMemcpyDeviceToHost); }

void of_both_sides(float* sum) {
  add<<<1, 32>>>(shared, sum);
  add<<<1, 32>>>(sum, shared);
  cudaMemcpyToSymbol(on_a_device, in, sizeof(in));
}
