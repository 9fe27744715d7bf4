#include <cuda_runtime.h>

#include "particles.h"

__global__ void step(Particles p) { p.x[threadIdx.x] += p.v[threadIdx.x]; }
