// There by one function, and back by another.

#include <cuda_runtime.h>

#include <vector>

__global__ void change(float* data, int n) { data[threadIdx.x] += n; }

namespace {

void push(float* to, const std::vector<float>& from) {
  cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice);
}
void pull(std::vector<float>& to, const float* from) {
  cudaMemcpy(to.data(), from, to.size() * sizeof(float), cudaMemcpyDeviceToHost);
}

float by_functions(int n) {
  std::vector<float> values(n, 1.0f);
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  push(data, values);
  pull(values, data);  // LINT: round-trip
  change<<<1, 32>>>(data, n);
  pull(values, data);
  push(data, values);  // LINT: round-trip
  change<<<1, 32>>>(data, n);
  pull(values, data);
  cudaFree(data);
  return values[0];
}

struct Particles {
  std::vector<float> position;
  float* on_device;
  int count;

  void upload() {
    cudaMemcpy(on_device, position.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  }
  void download() {
    cudaMemcpy(position.data(), on_device, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
};

void by_methods(Particles& particles) {
  particles.upload();
  particles.download();  // LINT: round-trip
  change<<<1, 32>>>(particles.on_device, 1);
}

}  // namespace
