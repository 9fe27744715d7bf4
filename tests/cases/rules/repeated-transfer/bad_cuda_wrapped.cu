// A class of the project's own owns the memory; records of such objects lie in a list.
#include <cuda_runtime.h>

#include <vector>

template <typename T>
class DeviceVector {
 public:
  DeviceVector() = default;
  ~DeviceVector() { cudaFree(data_); }
  void resize(size_t n) { cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)); }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

struct Dataset {
  int n;
  DeviceVector<float> error;
  std::vector<float> on_host;
};

__global__ void measure(float* error) { error[threadIdx.x] += 1; }

float of_one(Dataset& set) {
  float* to = set.on_host.data();
  measure<<<1, 32>>>(set.error.data());
  cudaMemcpy(to, set.error.data(), set.n, cudaMemcpyDeviceToHost);
  cudaMemcpy(to, set.error.data(), set.n, cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  return set.on_host[0];
}

float of_many(std::vector<Dataset>& sets, int i) {
  measure<<<1, 32>>>(sets[i].error.data());
  cudaMemcpy(sets[i].on_host.data(), sets[i].error.data(), 128, cudaMemcpyDeviceToHost);
  cudaMemcpy(sets[i].on_host.data(), sets[i].error.data(), 128,  // LINT: repeated-transfer
             cudaMemcpyDeviceToHost);
  return sets[i].on_host[0];
}

float of_a_number(float* sums) {
  float sum;
  cudaMemcpy(&sum, sums, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, sums, sizeof(float), cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  return sum;
}
