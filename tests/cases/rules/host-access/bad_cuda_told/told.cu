// A copy says that the caller's memory is a device's, and the host follows it all the same.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

void of_a_parameter(const float* input, float* output, int n) {
  std::vector<float> h(n);
  cudaMemcpy(h.data(), input, n * sizeof(float), cudaMemcpyDeviceToHost);
  h[0] += input[1];  // LINT: host-access
  cudaMemcpy(output, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::memcpy(output, h.data(), sizeof(float));  // LINT: host-access
}

// The copy comes behind.
float before_the_copy(const float* input, float* h, int n) {
  const float first = input[0];  // LINT: host-access
  cudaMemcpy(h, input, n * sizeof(float), cudaMemcpyDeviceToHost);
  return first;
}

struct State {
  float* on_device;
  int n;
};

void of_a_field(State* state, float* h) {
  cudaMemcpy(state->on_device, h, state->n * sizeof(float), cudaMemcpyHostToDevice);
  state->on_device[0] = 1;  // LINT: host-access
}

static float sum(const float* x, int n) {
  float all = 0;
  for (int i = 0; i < n; ++i) all += x[i];
  return all;
}

float in_a_callee(const float* input, float* h, int n) {
  cudaMemcpy(h, input, n * sizeof(float), cudaMemcpyDeviceToHost);
  return sum(input, n);  // LINT: host-access
}
