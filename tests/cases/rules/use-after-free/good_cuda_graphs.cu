// A graph that is launched allocates the same memory again.

#include <cuda_runtime.h>

__global__ void step(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += 1;
}

float* allocated_by(cudaGraph_t graph, int n) {
  cudaMemAllocNodeParams params = {};
  params.bytesize = n * sizeof(float);
  cudaGraphNode_t node;
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params);
  return static_cast<float*>(params.dptr);
}

void launched_again(cudaGraph_t graph, cudaGraphExec_t exec, cudaStream_t stream, int n) {
  float* x = allocated_by(graph, n);
  cudaGraphLaunch(exec, stream);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaFreeAsync(x, stream);
  cudaGraphLaunch(exec, stream);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaFreeAsync(x, stream);
}

void launch(cudaGraphExec_t exec, cudaStream_t stream) { cudaGraphLaunch(exec, stream); }
void launched_by_a_helper(cudaGraph_t graph, cudaGraphExec_t exec, cudaStream_t stream, int n) {
  float* x = allocated_by(graph, n);
  launch(exec, stream);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaFreeAsync(x, stream);
  launch(exec, stream);
  step<<<1, 64, 0, stream>>>(x, n);
  cudaFreeAsync(x, stream);
}
