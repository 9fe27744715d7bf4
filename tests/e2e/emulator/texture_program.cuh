#pragma once
// Helpers that the two halves of texture_program share.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

inline void show(const char* what, cudaError_t error) {
  if (error != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

/// An array of the numbers from 0 on, each times `scale`.
template <typename T>
cudaArray_t numbered(cudaExtent extent, unsigned flags, float scale = 1) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  show("array", cudaMalloc3DArray(&array, &channels, extent, flags));
  const size_t height = extent.height == 0 ? 1 : extent.height;
  const size_t depth = extent.depth == 0 ? 1 : extent.depth;
  std::vector<T> values(extent.width * height * depth);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(static_cast<float>(i) * scale);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * sizeof(T), extent.width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  show("copy", cudaMemcpy3D(&copy));
  return array;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

// texture_surfaces.cu
void surfaces();
void beyond();
