// A method copies to and from memory that another one allocated.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

__global__ void step(float* x) { x[threadIdx.x] *= 2; }

class Field {
 public:
  Field(int nx, int ny) : nx_(nx), ny_(ny) {
    const size_t bytes = nx * ny * sizeof(float);
    cudaMalloc(&values_, bytes);
    cudaMemset(values_, 0, bytes);
    host_ = static_cast<float*>(std::malloc(bytes));
  }
  void upload(const float* from) {
    cudaMemcpy(values_, from, nx_ * ny_, cudaMemcpyHostToDevice);  // LINT: copy-size
  }
  void upload_all(const float* from) {
    cudaMemcpy(values_, from, (nx_ + 2) * ny_ * sizeof(float),  // LINT: copy-size
               cudaMemcpyHostToDevice);
  }
  const float* download() {
    step<<<1, 32>>>(values_);
    cudaMemcpy(host_, values_, nx_ * ny_ * sizeof(double),  // LINT: copy-size
               cudaMemcpyDeviceToHost);
    return host_;
  }

 private:
  int nx_, ny_;
  float* values_ = nullptr;
  float* host_ = nullptr;
};

struct Solver {
  int count = 0;
  float* x = nullptr;
  void init(int n);
  void set(const std::vector<float>& from);
};

void Solver::init(int n) {
  count = n;
  cudaMalloc(&x, count * sizeof(float));
}

void Solver::set(const std::vector<float>& from) {
  cudaMemcpy(x, from.data(), count, cudaMemcpyHostToDevice);  // LINT: copy-size
  step<<<1, 32>>>(x);
}
