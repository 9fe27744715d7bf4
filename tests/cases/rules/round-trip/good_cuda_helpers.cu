// There and back by functions, and changed there, or not the same part.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <vector>

__global__ void change(float* data, int n) { data[threadIdx.x] += n; }

namespace {

void push(float* to, const float* from, std::size_t n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}
void pull(float* to, const float* from, std::size_t n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void changed(std::vector<float>& values, float* data) {
  push(data, values.data(), values.size());
  change<<<1, 32>>>(data, 1);
  pull(values.data(), data, values.size());
}

void to_compare(const std::vector<float>& values, std::vector<float>& back, float* data) {
  push(data, values.data(), values.size());
  pull(back.data(), data, back.size());
  if (values[0] != back[0]) std::printf("the copy is wrong\n");
}

void more_back(std::vector<float>& values, float* data) {
  push(data, values.data(), values.size());
  pull(values.data(), data, 2 * values.size());
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
  void move() { change<<<1, 32>>>(on_device, count); }
  void use_others(float* other) { on_device = other; }
};

void moved(Particles& particles) {
  particles.upload();
  particles.move();
  particles.download();
}

void from_elsewhere(Particles& particles, float* other) {
  particles.upload();
  particles.use_others(other);
  particles.download();
}

}  // namespace
