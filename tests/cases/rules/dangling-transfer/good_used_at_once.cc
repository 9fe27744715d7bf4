// The pointer does not outlive the statement.

#include <torch/torch.h>

#include <cstring>
#include <vector>

void copied(const torch::Tensor& x, float* to) {
  std::memcpy(to, x.cpu().data_ptr<float>(), sizeof(float));
  to[1] = x.cpu().data_ptr<float>()[1];
  to[2] = *x.to(torch::kCPU).data_ptr<float>();
}

std::vector<int64_t> own_sizes(const torch::Tensor& x) {
  std::vector<int64_t> sizes = x.cpu().sizes().vec();
  return sizes;
}

bool is_null(const torch::Tensor& x) { return x.cpu().data_ptr<float>() == nullptr; }

int64_t first_size(const torch::Tensor& x) {
  const int64_t first = x.cpu().sizes()[0];
  return first;
}
