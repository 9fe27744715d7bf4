// Variables of the file whose memory, or whose number, another function may change.

#include <cuda_runtime.h>

#include <cstdlib>

static int count = 0;
static int room = 0;
static int* dev_sized = nullptr;
static int* dev_grown = nullptr;
static int* dev_bytes = nullptr;
static int* dev_either = nullptr;
static int* dev_lent = nullptr;
extern int* dev_shared;

__global__ void look(int* a, int* b, int* c, int* d, int* e, int* f);
void lend(int** pointer);

void set_up(int n, bool large) {
  count = n;
  room = n;
  cudaMalloc(&dev_sized, n * sizeof(int));
  cudaMalloc(&dev_grown, room * sizeof(int));
  cudaMalloc(&dev_bytes, n);
  if (large) {
    cudaMalloc(&dev_either, 2 * n * sizeof(int));
  } else {
    cudaMalloc(&dev_either, n * sizeof(int));
  }
  cudaMalloc(&dev_lent, n * sizeof(int));
  lend(&dev_lent);
  cudaMalloc(&dev_shared, n * sizeof(int));
}

// It is allocated for more than the number says.
void shrink(int n) { room = n; }

void upload(const int* h) {
  cudaMemcpy(dev_sized, h, count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_grown, h, 4 * room * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_bytes, h, count, cudaMemcpyHostToDevice);
  cudaMemcpy(dev_either, h, 2 * count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_lent, h, 2 * count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_shared, h, 2 * count * sizeof(int), cudaMemcpyHostToDevice);
  look<<<1, count>>>(dev_sized, dev_grown, dev_bytes, dev_either, dev_lent, dev_shared);
}
