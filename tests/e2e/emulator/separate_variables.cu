// The variables of separate_program.

#include "separate_program.cuh"

__device__ int counter = 41;
__constant__ int weights[4] = {10, 20, 30, 40};
__managed__ int managed = 7;
