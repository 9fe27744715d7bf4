// Arrays of the program's, and static ones: memory of the host like others.

#include <cuda_runtime.h>

#include <cstdio>

float in[32], out[32], few[16];

__global__ void add(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

void downloaded_twice(const float* x) {
  static float seen[32];
  cudaMemcpy(out, x, sizeof(out), cudaMemcpyDeviceToHost);
  cudaMemcpy(out, x, sizeof(out), cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  printf("%f\n", out[0]);
  cudaMemcpy(seen, x, sizeof(seen), cudaMemcpyDeviceToHost);
  cudaMemcpy(seen, x, sizeof(seen), cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  printf("%f\n", seen[0]);
}

void uploaded_on_every_iteration(float* x, float* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(x, in, sizeof(in), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    add<<<1, 32>>>(x, sum);
  }
}

void there_and_back(float* x, float* sum) {
  cudaMemcpy(out, x, sizeof(out), cudaMemcpyDeviceToHost);
  cudaMemcpy(x, out, sizeof(out), cudaMemcpyHostToDevice);  // LINT: round-trip
  add<<<1, 32>>>(x, sum);
}

void given_to_a_kernel(float* sum) {
  add<<<1, 32>>>(in, sum);  // LINT: host-pointer-to-kernel
}

void the_wrong_way(float* x) {
  cudaMemcpy(out, x, sizeof(out), cudaMemcpyHostToDevice);  // LINT: copy-kind
  cudaMemcpy(few, out, sizeof(out), cudaMemcpyHostToHost);  // LINT: copy-size
}
