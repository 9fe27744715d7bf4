// A loader pins what others will copy.

#include <torch/torch.h>

#include <vector>

torch::Tensor next(torch::Tensor data, int64_t index) { return data[index].pin_memory(); }

void collect(std::vector<torch::Tensor>& out, const torch::Tensor& x) {
  out.push_back(x.pin_memory());
}
