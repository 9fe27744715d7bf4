// A kernel is given an object whose field points to memory of the host.
#include <cuda_runtime.h>

#include <vector>

struct Spans {
  const float* from;
  float* to;
  int n;
};

__global__ void copied(Spans spans) { spans.to[threadIdx.x] = spans.from[threadIdx.x]; }

void of_a_vector(float* d) {
  std::vector<float> h(32);
  Spans spans;
  spans.from = h.data();
  spans.to = d;
  copied<<<1, 32>>>(spans);  // LINT: host-pointer-to-kernel
}

void of_an_array(float* d) {
  float h[32] = {};
  Spans spans = {h, d, 32};
  copied<<<1, 32>>>(spans);  // LINT: host-pointer-to-kernel
}
