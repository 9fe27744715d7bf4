#pragma once
// Declarations that the files of separate_program share.

extern __device__ int counter;
extern __constant__ int weights[4];
extern __managed__ int managed;
inline __device__ int inlined = 3;

using Operation = int (*)(int);
extern __device__ Operation operations[2];

__device__ int weighted(int value);

struct Shape {
  __device__ virtual int corners() const;
};
__device__ const Shape* make_square();

/// An instance in each file.
template <typename T>
__device__ __noinline__ T next() {
  return atomicAdd(&inlined, 1);
}

void run_hidden(int* out);
