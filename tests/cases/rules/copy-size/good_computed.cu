// Sizes that functions compute, and that fit, or are not known.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

void keep(float* data);

namespace {

std::size_t bytes_of(std::size_t n) { return n * sizeof(float); }
std::size_t padded(std::size_t n) { return (n + 31) / 32 * 32; }
int counter;
int next() { return ++counter; }

struct Shape {
  int rows, columns;
  int size() const { return rows * columns; }
  std::size_t bytes() const { return size() * sizeof(float); }
  void grow() { rows *= 2; }
};
struct Any {
  virtual ~Any() = default;
  virtual int size() const { return 1; }
};

void fits(const float* h, int n, const Shape& shape) {
  float* d;
  cudaMalloc(&d, bytes_of(n));
  cudaMemcpy(d, h, bytes_of(n), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h + n, n * sizeof(float), cudaMemcpyHostToDevice);
  keep(d);
  cudaMalloc(&d, shape.bytes());
  cudaMemcpy(d, h, shape.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h + n, shape.columns * sizeof(float), cudaMemcpyHostToDevice);
  keep(d);
}

void changed(const float* h, Shape shape) {
  float* d;
  cudaMalloc(&d, shape.bytes());
  shape.rows /= 4;
  cudaMemcpy(d, h, 4 * shape.size() * sizeof(float), cudaMemcpyHostToDevice);
  keep(d);
  cudaFree(d);
  shape.grow();
  cudaMalloc(&d, shape.bytes());
  cudaMemcpy(d, h, shape.bytes(), cudaMemcpyHostToDevice);
  keep(d);
}

void of_another(const float* h, const Shape& one, const Shape& other) {
  float* d;
  cudaMalloc(&d, one.bytes());
  cudaMemcpy(d, h, other.size(), cudaMemcpyHostToDevice);
  keep(d);
}

int shared_count;
void halve() { shared_count /= 2; }
void run_all(const std::function<void()>& change) { change(); }
void run_each(std::vector<int>& all) {
  std::for_each(all.begin(), all.end(), [](int one) { shared_count -= one; });
}

/// Other functions change the number.
void changed_elsewhere(const float* h, std::vector<int>& all) {
  float *one, *two, *three;
  cudaMalloc(&one, shared_count * sizeof(float));
  halve();
  cudaMemcpy(one, h, 2 * shared_count * sizeof(float), cudaMemcpyHostToDevice);
  keep(one);
  cudaMalloc(&two, shared_count * sizeof(float));
  run_all(halve);
  cudaMemcpy(two, h, 2 * shared_count * sizeof(float), cudaMemcpyHostToDevice);
  keep(two);
  cudaMalloc(&three, shared_count * sizeof(float));
  run_each(all);
  cudaMemcpy(three, h, 2 * shared_count * sizeof(float), cudaMemcpyHostToDevice);
  keep(three);
}

void not_known(const float* h, int n, const Any& any) {
  float* d;
  cudaMalloc(&d, padded(n) * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  keep(d);
  cudaMalloc(&d, next() * sizeof(float));
  cudaMemcpy(d, h, next(), cudaMemcpyHostToDevice);
  keep(d);
  cudaMalloc(&d, any.size() * sizeof(float));
  cudaMemcpy(d, h, any.size() * sizeof(float), cudaMemcpyHostToDevice);
  keep(d);
}

class Resized {
 public:
  explicit Resized(int n) : n_(n) { cudaMalloc(&d_, bytes()); }
  std::size_t bytes() const { return n_ * sizeof(float); }
  void resize(int n) { n_ = n; }
  void upload(const float* from, int n) {
    cudaMemcpy(d_, from, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  void twice(const float* from) {
    float* scratch;
    cudaMalloc(&scratch, bytes());
    resize(n_ / 2);
    cudaMemcpy(scratch, from, 2 * bytes(), cudaMemcpyHostToDevice);
    keep(scratch);
  }

 private:
  int n_;
  float* d_ = nullptr;
};

}  // namespace
