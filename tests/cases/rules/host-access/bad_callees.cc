// Functions that read what they are given on the host, called with what is on CUDA.

#include <torch/torch.h>

#include <cstring>
#include <vector>

float total(torch::Tensor t) {
  auto values = t.accessor<float, 1>();
  float sum = 0;
  for (int64_t i = 0; i < values.size(0); ++i) sum += values[i];
  return sum;
}

float first_of(const torch::Tensor& t) { return t.data_ptr<float>()[0]; }

float first_of_flat(const torch::Tensor& t) {
  auto flat = t.contiguous().view({-1});
  const float* values = flat.data_ptr<float>();
  return values[0] + values[1];
}

float reshaped(torch::Tensor t) {
  t = t.reshape({-1});
  return t.accessor<float, 1>()[0];
}

std::vector<float> to_vector(const torch::Tensor& t) {
  return std::vector<float>(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
}

void copy_out(torch::Tensor t, float* out) { std::memcpy(out, t.data_ptr(), t.nbytes()); }

float twice_removed(torch::Tensor t) { return total(t * 2); }

float all_firsts(const std::vector<torch::Tensor>& tensors) {
  float sum = 0;
  for (const auto& tensor : tensors) sum += tensor.data_ptr<float>()[0];
  return sum;
}

struct Statistics {
  float sum = 0;
  void add(const torch::Tensor& t) {
    auto values = t.accessor<float, 1>();
    sum += values[0];
  }
};

float read_on_the_host() {
  auto x = torch::rand({8}).to(torch::kCUDA);
  float out[8];
  float sum = total(x);      // LINT: host-access
  sum += first_of(x);        // LINT: host-access
  sum += first_of_flat(x);   // LINT: host-access
  sum += reshaped(x);        // LINT: host-access
  sum += to_vector(x)[0];    // LINT: host-access
  copy_out(x, out);          // LINT: host-access
  sum += twice_removed(x);   // LINT: host-access
  sum += all_firsts({x, x}); // LINT: host-access
  Statistics statistics;
  statistics.add(x);  // LINT: host-access
  return sum + out[0] + statistics.sum;
}

float in_some_run(torch::Tensor x) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  return total(x.to(device));  // LINT: host-access
}
