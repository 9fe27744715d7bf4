// Device code that driver_calls_program loads. `scaled` is in driver_module_part.cu, for the
// linker.

extern "C" {

__device__ int counter = 41;
__managed__ int managed = 7;

__global__ void add(const float* a, const float* b, float* sum, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) sum[i] = a[i] + b[i];
}

__global__ void take(char first, double second, short third, int* out) {
  extern __shared__ int dynamic[];
  __shared__ volatile int fixed[8];  // stays where it is
  dynamic[0] = first;
  fixed[0] = static_cast<int>(second) + third;
  *out = dynamic[0] + fixed[0] + atomicAdd(&counter, 1) + managed;
}

#ifdef XFER_IN_PARTS
__device__ int scaled(int value);
__global__ void scale(int* value) { *value = scaled(*value); }
#endif
}
