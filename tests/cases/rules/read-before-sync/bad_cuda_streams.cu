// A wait for another stream does not wait for the copy.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

void another_stream(const float* a, const float* b) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float *of_a, *of_b;
  cudaMallocHost(&of_a, 128);
  cudaMallocHost(&of_b, 128);
  cudaMemcpyAsync(of_a, a, 128, cudaMemcpyDeviceToHost, first);
  cudaMemcpyAsync(of_b, b, 128, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(first);
  std::printf("%f\n", of_a[0]);
  std::printf("%f\n", of_b[0]);  // LINT: read-before-sync
}

void of_an_array(const float* x) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&streams[i]);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, streams[1]);
  cudaStreamSynchronize(streams[0]);
  std::printf("%f\n", out[0]);  // LINT: read-before-sync
}

void another_event(const float* x) {
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEvent_t computed;
  cudaEventCreate(&computed);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies);
  cudaEventRecord(computed, kernels);
  cudaEventSynchronize(computed);
  std::printf("%f\n", out[0]);  // LINT: read-before-sync
}

void beside_the_default_stream(const float* x, float* y, const float* from) {
  cudaStream_t beside;
  cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, beside);
  // Of the default stream.
  cudaMemcpy(y, from, 128, cudaMemcpyHostToDevice);
  std::printf("%f\n", out[0]);  // LINT: read-before-sync
}

void kernel_of_another_stream() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* shared;
  cudaMallocManaged(&shared, 128);
  shared[0] = 1;
  scale<<<1, 32, 0, second>>>(shared);
  cudaStreamSynchronize(first);
  std::printf("%f\n", shared[0]);  // LINT: read-before-sync
}

static void finish_all() { cudaDeviceSynchronize(); }

void behind_a_wait_for_all(const float* x) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* out;
  cudaMallocHost(&out, 128);
  finish_all();
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, first);
  cudaStreamSynchronize(second);
  std::printf("%f\n", out[0]);  // LINT: read-before-sync
}
