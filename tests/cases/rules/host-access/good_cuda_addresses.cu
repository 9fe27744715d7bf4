// Addresses of what lies on a device are computed, and nothing there is read. Pointers are written
// to the host, or to memory that both sides have.

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

struct Particle {
  float position[3];
  double charge;
};

__global__ void fill(double** rows, int n) { rows[threadIdx.x % n][0] = 1; }
__global__ void move(float* position) { position[threadIdx.x] += 1; }

void copy_parts(const double* charges, const float* positions, int n) {
  Particle* particles;
  cudaMalloc(&particles, n * sizeof(Particle));
  cudaMemset(particles, 0, n * sizeof(Particle));
  for (int i = 0; i < n; ++i) {
    cudaMemcpy(&(particles[i].charge), &charges[i], sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(&particles[i].position[1], positions + i, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(particles[i].position, positions + i, 4, cudaMemcpyHostToDevice);
  }
  move<<<1, 3>>>(particles[0].position);
  float* second = particles[1].position;
  move<<<1, 3>>>(second);
  cudaFree(particles);
}

void rows_on_the_host(int n) {
  double** rows = static_cast<double**>(std::malloc(n * sizeof(double*)));
  std::vector<double*> more(n);
  double* few[4];
  for (int i = 0; i < n; ++i) {
    cudaMalloc((void**)&rows[i], n * sizeof(double));
    cudaMalloc((void**)(rows + i), n * sizeof(double));
    cudaMalloc(&more[i], n * sizeof(double));
    cudaMalloc(&few[i % 4], n * sizeof(double));
  }
}

void rows_of_both(int n) {
  double** rows;
  cudaMallocManaged((void**)&rows, n * sizeof(double*));
  for (int i = 0; i < n; ++i) cudaMalloc((void**)&rows[i], n * sizeof(double));
  fill<<<1, 32>>>(rows, n);
}
