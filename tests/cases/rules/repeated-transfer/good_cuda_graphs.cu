// A graph runs again what was captured, or what its nodes say.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void step(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += 1;
}
void show(const float* values, int n);

void launched_twice(float* host, int n, cudaStream_t stream) {
  float* x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host[0]);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host[0]);
  cudaFree(x);
}

void launch(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
}
void launched_by_a_helper(float* host, int n, cudaStream_t stream) {
  float* x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 3; ++i) {
    launch(exec, stream);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", host[0]);
  }
  cudaFree(x);
}

// Each launch uploads the values that are staged at that time.
void uploads_itself(float* host, int n, cudaStream_t stream) {
  float *x = nullptr, *staged = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMallocHost(&staged, n * sizeof(float));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x, staged, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaMemcpyAsync(staged, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < n; ++k) staged[k] = host[k] + i;
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    show(staged, n);
  }
  cudaFree(x);
  cudaFreeHost(staged);
}
