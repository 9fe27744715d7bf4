// The pointer is for a kernel, a copy, or somebody who knows where it points.

#include <torch/torch.h>

#include <cstring>

void launch(const float* data, int count);
extern "C" int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
void take(torch::PackedTensorAccessor32<float, 2> accessor);

void passed_on(float* to) {
  torch::Tensor x = torch::randn({8, 8}, torch::kCUDA);
  launch(x.data_ptr<float>(), 64);
  cudaMemcpy(to, x.data_ptr<float>(), 256, 2);
  take(x.packed_accessor32<float, 2>());
  float* p = x.data_ptr<float>();
  launch(&p[8], 8);
  launch(p + 16, 8);
}

torch::Tensor says_where() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  return torch::from_blob(x.data_ptr(), {8}, torch::kCUDA).clone();
}

bool compared() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor y = x.view({2, 4});
  return x.data_ptr<float>() == y.data_ptr<float>();
}
