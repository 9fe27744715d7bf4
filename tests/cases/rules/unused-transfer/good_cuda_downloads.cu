#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(float* x) { x[threadIdx.x] *= 2; }

float sum_of(const std::vector<float>& all);
void show(const float* first, int n);

std::vector<float> returned(float* x, int n) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  return out;
}

float given(float* x, int n) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  return sum_of(out);
}

void by_another_name(float* x, int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  float* same = h;
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  show(same, n);
  std::free(h);
}

void in_the_next_iteration(float* x, int n, int steps) {
  std::vector<float> out(n, 0.0f);
  for (int i = 0; i < steps; ++i) {
    std::printf("%f\n", out[0]);
    step<<<1, 32>>>(x);
    cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  }
}

void on_some_path(float* x, int n, bool verbose) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (verbose) std::printf("%f\n", out[0]);
}

void in_a_loop_over_all(float* x, int n) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (const float value : out) std::printf("%f\n", value);
}

void sent_on(float* x, float* y, int n) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(y, out.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

void captured(float* x, int n) {
  std::vector<float> out(n);
  auto print = [&] { std::printf("%f\n", out[0]); };
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  print();
}

void traced(float* x, int n) {
  std::vector<float> out(n);
  cudaMemcpy(out.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
#ifdef TRACE
  std::printf("%f\n", out[0]);
#endif
  step<<<1, 32>>>(x);
}

struct Table {
  float values[8];
};

void of_an_object(const Table* table) {
  Table out;
  cudaMemcpy(&out, table, sizeof(Table), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) std::printf("%f\n", out.values[i]);
}

void written_to_a_file(float* x, int n, std::FILE* file) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::fwrite(h, sizeof(float), n, file);
  std::free(h);
}
