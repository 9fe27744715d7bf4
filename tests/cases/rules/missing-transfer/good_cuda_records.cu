// Records of pointers to both sides, in a list: where one field points says nothing of another.
#include <cuda_runtime.h>

#include <vector>

template <typename T>
class DeviceVector {
 public:
  void resize(size_t n) {
    size_ = n;
    cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T));
  }
  void copy_from_host(const T* from) {
    cudaMemcpy(data_, from, size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  const T* data() const { return data_; }

 private:
  size_t size_ = 0;
  T* data_ = nullptr;
};

struct Group {
  DeviceVector<int> size;
  std::vector<int> cpu_size;
  void count(int groups);
};

__global__ void centre(const int* size, float* out) { out[threadIdx.x] /= size[threadIdx.x]; }

void Group::count(int groups) {
  cpu_size.assign(groups, 1);
  size.resize(groups);
  size.copy_from_host(cpu_size.data());
}

struct Ensemble {
  int source;
  void centre_all(const std::vector<Group>& groups, float* out);
  double heat(const std::vector<Group>& groups, float* out);
  double compute(const std::vector<Group>& groups, float* out) { return heat(groups, out); }
};

void Ensemble::centre_all(const std::vector<Group>& groups, float* out) {
  centre<<<1, 32>>>(groups[0].size.data(), out);
}

double Ensemble::heat(const std::vector<Group>& groups, float* out) {
  const double freedom = 3.0 * (groups[0].cpu_size[source] - 1);
  centre_all(groups, out);
  return freedom;
}
