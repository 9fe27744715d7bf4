// Sizes that functions and methods compute.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

void keep(float* data);

namespace {

std::size_t bytes_of(std::size_t n) { return n * sizeof(float); }

struct Shape {
  int rows, columns;
  int size() const { return rows * columns; }
  std::size_t bytes() const { return size() * sizeof(float); }
};
std::size_t length(const Shape& shape) {
  return static_cast<std::size_t>(shape.rows) * shape.columns;
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(result));
  std::exit(1);
}

void by_function(const float* h, int n) {
  float* d;
  cudaMalloc(&d, bytes_of(n));
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);                // LINT: copy-size
  cudaMemcpy(d, h, bytes_of(2 * n), cudaMemcpyHostToDevice);  // LINT: copy-size
  keep(d);
}

void by_method(const float* h, const Shape& shape) {
  float* d;
  check(cudaMalloc(&d, shape.bytes()));
  check(cudaMemcpy(d, h, shape.size(), cudaMemcpyHostToDevice));          // LINT: copy-size
  check(cudaMemcpy(d, h, 2 * shape.rows * shape.columns * sizeof(float),  // LINT: copy-size
                   cudaMemcpyHostToDevice));
  keep(d);
}

void by_object(const float* h, Shape shape) {
  float* d;
  cudaMalloc(&d, shape.bytes());
  cudaMemcpy(d, h, length(shape), cudaMemcpyHostToDevice);  // LINT: copy-size
  keep(d);
}

class Image {
 public:
  Image(int width, int height) : width_(width), height_(height) { check(cudaMalloc(&d_, bytes())); }
  std::size_t size() const { return std::size_t(width_) * height_; }
  std::size_t bytes() const { return size() * sizeof(float); }
  void upload(const std::vector<float>& from) {
    check(cudaMemcpy(d_, from.data(), size(), cudaMemcpyHostToDevice));  // LINT: copy-size
  }
  void fill(const float* from) {
    float* scratch;
    check(cudaMalloc(&scratch, width_ * sizeof(float)));
    check(cudaMemcpy(scratch, from, width_ * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(scratch, from, width_, cudaMemcpyHostToDevice));  // LINT: copy-size
    keep(scratch);
    check(cudaFree(scratch));
  }

 private:
  int width_, height_;
  float* d_ = nullptr;
};

}  // namespace
