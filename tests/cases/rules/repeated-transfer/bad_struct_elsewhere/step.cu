#include <cuda_runtime.h>

#include "particles.h"

__global__ void step(Particles p) { p.v[threadIdx.x] = p.x[threadIdx.x]; }
