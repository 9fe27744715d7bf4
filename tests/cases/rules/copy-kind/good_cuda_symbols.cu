// A pointer, which is on the host, is copied to a symbol; the symbol itself may have other
// names.

#include <cuda_runtime.h>

#include <cstdlib>

__constant__ float* table;
__constant__ float numbers[4];
__device__ int counter;

template <class T>
static bool allocate(T** pointer, int n) {
  if (cudaMalloc((void**)pointer, n * sizeof(T)) != cudaSuccess) return false;
  return cudaMemcpyToSymbol(table, pointer, sizeof(T*), 0, cudaMemcpyHostToDevice) == cudaSuccess;
}

bool by_a_helper(int n) {
  float* pointer;
  return allocate(&pointer, n);
}

void by_an_array(int n) {
  float** pointers = static_cast<float**>(std::malloc(sizeof(float*)));
  cudaMalloc((void**)pointers, n);
  cudaMemcpyToSymbol(table, pointers, sizeof(float*), 0, cudaMemcpyHostToDevice);
}

template <class T, class U>
static void set(const T& symbol, U value) {
  cudaMemcpyToSymbol(symbol, &value, sizeof(U));
}
template <class T, class U>
static void set_two(const T& symbol, U first, U second) {
  U both[2] = {first, second};
  cudaMemcpyToSymbol(symbol, &both, sizeof(both));
}

void by_references() {
  set(counter, 3);
  set_two(numbers, 1.0F, 2.0F);
}

void to_an_array(float (&on_device)[4], const float* on_host) {
  cudaMemcpy(on_device, on_host, sizeof(on_device), cudaMemcpyHostToDevice);
}
