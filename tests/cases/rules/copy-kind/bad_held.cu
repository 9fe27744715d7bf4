// Pointers that the whole program puts into globals, members, arrays and parameters.

#include <cuda_runtime.h>

#include <cstdlib>
#include <memory>
#include <vector>

float* host = NULL;
static float* device;
static float* buffers[2];

void make(int n) {
  host = (float*)malloc(n * sizeof(float));
  cudaMalloc((void**)&device, n * sizeof(float));
  for (int i = 0; i < 2; ++i) cudaMalloc((void**)&buffers[i], n * sizeof(float));
}

void of_globals(int n) {
  cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyDeviceToHost);      // LINT: copy-kind
  cudaMemcpy(buffers[1], host, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-kind
}

class Model {
 public:
  explicit Model(int n) : n_(n) {
    weights_ = new float[n];
    cudaMalloc(&on_device_, n * sizeof(float));
  }
  ~Model() {
    cudaFree(on_device_);
    delete[] weights_;
  }
  void upload() {
    cudaMemcpy(on_device_, weights_, n_ * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-kind
  }

 private:
  int n_;
  float *weights_, *on_device_;
};

void of_arrays(int n, float* h) {
  float* parts[3];
  for (int i = 0; i < 3; ++i) cudaMalloc(&parts[i], n * sizeof(float));
  cudaMemcpy(parts[2], h, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-kind
  std::vector<float*> more(2);
  for (int i = 0; i < 2; ++i) cudaMalloc(&more[i], n * sizeof(float));
  cudaMemcpy(more[1], h, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-kind
}

void of_an_owner(float* d, int n) {
  std::unique_ptr<float[]> h(new float[n]);
  auto other = std::make_unique<float[]>(n);
  cudaMemcpy(h.get(), d, n * sizeof(float), cudaMemcpyHostToDevice);      // LINT: copy-kind
  cudaMemcpy(other.get(), d, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-kind
}

void down(float* to, const float* from, int n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-kind
}

void call_down(int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemset(d, 0, n * sizeof(float));
  float* h = new float[n];
  down(h, d, n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

int main() {
  make(3);
  call_down(3);
  of_globals(3);
}
