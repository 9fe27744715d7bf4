// A kernel leaves alone the field that points to memory of the host, or it points elsewhere by
// then.
#include <cuda_runtime.h>

#include <vector>

struct Image {
  float *host, *device;
  int n;
};

__global__ void scaled(Image image) { image.device[threadIdx.x] *= 2; }

void mirrored(std::vector<float>& h, float* d) {
  Image image = {h.data(), d, 32};
  cudaMemcpy(image.device, image.host, 128, cudaMemcpyHostToDevice);
  scaled<<<1, 32>>>(image);
  cudaMemcpy(image.host, image.device, 128, cudaMemcpyDeviceToHost);
}

struct Span {
  float* data;
};

__global__ void cleared(Span span) { span.data[threadIdx.x] = 0; }

void moved(std::vector<float>& h, float* d) {
  Span span = {h.data()};
  h[0] = span.data[1];
  span.data = d;
  cleared<<<1, 32>>>(span);
}

void pinned() {
  Span span;
  cudaMallocHost(&span.data, 128);
  cleared<<<1, 32>>>(span);
  cudaDeviceSynchronize();
  cudaFreeHost(span.data);
}
