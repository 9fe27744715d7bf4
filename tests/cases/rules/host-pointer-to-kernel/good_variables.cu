// Managed variables, which the host's code names as well.

#include <cuda_runtime.h>

__managed__ int everywhere;

__global__ void count(int* x) { ++*x; }

void managed() { count<<<1, 1>>>(&everywhere); }
