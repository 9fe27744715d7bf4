// Copies that functions and methods make of what they are given.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

__global__ void use(const float* data, int n);

namespace {

void check(cudaError_t result, const char* where) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(result));
  throw std::runtime_error(where);
}

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n) : n_(n) { check(cudaMalloc(&data_, n * sizeof(T)), "malloc"); }
  ~Buffer() { cudaFree(data_); }
  const T* get() const { return data_; }
  void upload(const T* from, std::size_t n) {
    check(cudaMemcpy(data_, from, n * sizeof(T), cudaMemcpyHostToDevice), "upload");
  }
  void upload(const std::vector<T>& from) { upload(from.data(), from.size()); }
  void download(std::vector<T>& to) const {
    check(cudaMemcpy(to.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
  }

 private:
  T* data_ = nullptr;
  std::size_t n_ = 0;
};

void send(float* to, const float* from, std::size_t n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}

void by_method(const std::vector<float>& values) {
  Buffer<float> buffer(values.size());
  buffer.upload(values);
  use<<<1, 1>>>(buffer.get(), 1);
  buffer.upload(values);  // LINT: repeated-transfer
  use<<<1, 1>>>(buffer.get(), 2);
}

void by_function(const std::vector<float>& values, float* to) {
  send(to, values.data(), values.size());
  use<<<1, 1>>>(to, 1);
  send(to, values.data(), values.size());  // LINT: repeated-transfer
  use<<<1, 1>>>(to, 2);
}

void by_lambda(const float* values, float* to, int n) {
  const auto push = [&](float* there, const float* here) {
    check(cudaMemcpy(there, here, n * sizeof(float), cudaMemcpyHostToDevice), "push");
  };
  push(to, values);
  use<<<1, 1>>>(to, 1);
  push(to, values);  // LINT: repeated-transfer
  use<<<1, 1>>>(to, 2);
}

float twice_back(const Buffer<float>& buffer, std::size_t n) {
  std::vector<float> values(n);
  buffer.download(values);
  const float first = values[0];
  buffer.download(values);  // LINT: repeated-transfer
  return first + values[1];
}

/// The object of both has not changed.
struct Mesh {
  std::vector<float> points;
  float* on_device;
  int count;

  void upload() {
    cudaMemcpy(on_device, points.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  }
  void draw() {
    upload();
    use<<<1, 1>>>(on_device, count);
    upload();  // LINT: repeated-transfer
    use<<<1, 1>>>(on_device, count);
  }
};

void by_member(Mesh& mesh) {
  mesh.upload();
  use<<<1, 1>>>(mesh.on_device, mesh.count);
  mesh.upload();  // LINT: repeated-transfer
  use<<<1, 1>>>(mesh.on_device, mesh.count);
  mesh.draw();  // LINT: repeated-transfer
}

}  // namespace
