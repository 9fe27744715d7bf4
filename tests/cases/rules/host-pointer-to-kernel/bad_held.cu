// Memory of the host that a member, a global, an array or an owner has.

#include <cuda_runtime.h>

#include <cstdlib>
#include <memory>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

static float* table;
void make(int n) { table = (float*)malloc(n * sizeof(float)); }
void of_a_global(int n) { scale<<<1, n>>>(table, n); }  // LINT: host-pointer-to-kernel

class Model {
 public:
  explicit Model(int n) : n_(n), weights_(new float[n]) {}
  ~Model() { delete[] weights_; }
  void run() { scale<<<1, n_>>>(weights_, n_); }  // LINT: host-pointer-to-kernel

 private:
  int n_;
  float* weights_;
};

void of_others(int n) {
  float* parts[2] = {new float[n], new float[n]};
  scale<<<1, n>>>(parts[0], n);  // LINT: host-pointer-to-kernel
  auto owner = std::make_unique<float[]>(n);
  scale<<<1, n>>>(owner.get(), n);  // LINT: host-pointer-to-kernel
}

int main() {
  make(3);
  of_a_global(3);
}
