// The kernel in the other file writes to `x`.
#include <cuda_runtime.h>

#include "particles.h"

void run(Particles p, const double* h) {
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  step<<<1, 16>>>(p);
  cudaMemcpy(p.x, h, 128, cudaMemcpyHostToDevice);
  step<<<1, 16>>>(p);
}
