// Tests that a copy which is wrong is refused.

#include <cuda_runtime.h>

#include <vector>

namespace testing::internal {
template <class A, class B>
bool CmpHelperNE(const char*, const char*, const A& a, const B& b) {
  return a != b;
}
struct EqHelper {
  template <class A, class B>
  static bool Compare(const char*, const char*, const A& a, const B& b) {
    return a == b;
  }
};
}  // namespace testing::internal
void fail(int line);
#define EXPECT_EQ(a, b) \
  if (!testing::internal::EqHelper::Compare(#a, #b, a, b)) fail(__LINE__)
#define EXPECT_NE(a, b) \
  if (!testing::internal::CmpHelperNE(#a, #b, a, b)) fail(__LINE__)

__global__ void look(const char* x, char* y) { *y = *x; }

void refuses_too_many_bytes(char* out) {
  std::vector<char> h(64, 'a');
  char* d = nullptr;
  cudaMalloc(&d, 64);
  EXPECT_EQ(cudaMemcpy(d, h.data(), 64, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(d, h.data(), 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  cudaError_t status = cudaMemcpy(d, h.data(), 100, cudaMemcpyHostToDevice);
  EXPECT_NE(status, cudaSuccess);
  status = cudaMemcpy(h.data(), d, 101, cudaMemcpyDeviceToHost);
  EXPECT_EQ(cudaErrorInvalidValue, status);
  look<<<1, 1>>>(d, out);
  cudaFree(d);
}

void refuses_a_second_free() {
  void* p = nullptr;
  EXPECT_EQ(cudaMallocHost(&p, 64), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(p), cudaSuccess);
  cudaError_t status = cudaFreeHost(p);
  EXPECT_NE(status, cudaSuccess);
}
