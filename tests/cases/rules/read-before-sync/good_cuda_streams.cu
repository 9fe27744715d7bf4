#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void each_its_own(const float* a, const float* b) {
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
  cudaStreamSynchronize(second);
  std::printf("%f\n", of_b[0]);
}

void all_of_an_array(const float* x) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&streams[i]);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, streams[1]);
  for (int i = 0; i < 2; ++i) cudaStreamSynchronize(streams[i]);
  std::printf("%f\n", out[0]);
}

void by_an_event(const float* x) {
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies);
  cudaEventRecord(copied, copies);
  cudaStreamWaitEvent(kernels, copied, 0);
  cudaStreamSynchronize(kernels);  // which waits for the copy
  std::printf("%f\n", out[0]);
}

void one_of_two(const float* x, bool odd) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaStream_t chosen = odd ? first : second;
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, chosen);
  cudaStreamSynchronize(first);
  std::printf("%f\n", out[0]);
}

void the_same_by_two_names(const float* x) {
  cudaStream_t first;
  cudaStreamCreate(&first);
  cudaStream_t second = first;
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(first);
  std::printf("%f\n", out[0]);
}

void with_the_default_stream(const float* x, float* y, const float* from) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, stream);
  cudaMemcpy(y, from, 128, cudaMemcpyHostToDevice);  // after all that is on the others
  std::printf("%f\n", out[0]);
}

void swap_streams(cudaStream_t* a, cudaStream_t* b) {
  cudaStream_t other = *a;
  *a = *b;
  *b = other;
}

void swapped(const float* x) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, second);
  swap_streams(&first, &second);
  cudaStreamSynchronize(first);
  std::printf("%f\n", out[0]);
}

void in_a_vector(const float* x, int count, int last) {
  std::vector<cudaStream_t> streams(count);
  for (auto& stream : streams) cudaStreamCreate(&stream);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, streams[last]);
  cudaStreamSynchronize(streams[count - 1]);
  std::printf("%f\n", out[0]);
}

void whole_device(const float* x) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(first);
  cudaDeviceSynchronize();
  std::printf("%f\n", out[0]);
}
