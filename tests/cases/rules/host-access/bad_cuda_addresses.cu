// `cudaMalloc` writes the pointer where it is told: into memory of the device.

#include <cuda_runtime.h>

struct Particle {
  float position[3];
  double charge;
};

__global__ void fill(double** rows, int n) { rows[threadIdx.x % n][0] = 1; }

void rows_on_the_device(int n) {
  double** rows;
  cudaMalloc((void**)&rows, n * sizeof(double*));
  for (int i = 0; i < n; ++i) {
    cudaMalloc((void**)&rows[i], n * sizeof(double));  // LINT: host-access
  }
  fill<<<1, 32>>>(rows, n);
}

double element_of_the_device(int n) {
  Particle* particles;
  cudaMalloc(&particles, n * sizeof(Particle));
  cudaMemset(particles, 0, n * sizeof(Particle));
  const double charge = particles[1].charge;  // LINT: host-access
  cudaFree(particles);
  return charge;
}

float array_of_the_device(int n) {
  Particle* particles;
  cudaMalloc(&particles, n * sizeof(Particle));
  cudaMemset(particles, 0, n * sizeof(Particle));
  const float second = particles[1].position[1];  // LINT: host-access
  cudaFree(particles);
  return second;
}
