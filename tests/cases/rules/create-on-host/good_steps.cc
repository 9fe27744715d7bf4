// The CPU needs the tensor, or a part of it, as well; or no factory made it.

#include <torch/torch.h>

#include <vector>

torch::Tensor whole_is_read() {
  torch::Tensor whole = torch::ones({8, 8});
  torch::Tensor mask = whole.tril().to(torch::kCUDA);
  return mask * whole.sum().item<float>();
}

torch::Tensor part_is_read() {
  torch::Tensor mask = torch::ones({8, 8}).triu(1);
  const float count = mask.sum().item<float>();
  return mask.to(torch::kCUDA) / count;
}

torch::Tensor written_to() {
  torch::Tensor whole = torch::ones({8, 8});
  whole[0][0] = 0;
  return whole.tril().to(torch::kCUDA);
}

torch::Tensor of_host_data(const std::vector<float>& values) {
  return torch::tensor(values).toType(torch::kHalf).to(torch::kCUDA);
}

torch::Tensor made_there() { return torch::ones({8, 8}, torch::kCUDA).tril(); }

torch::Tensor handed_on(std::vector<torch::Tensor>& kept) {
  torch::Tensor mask = torch::ones({8, 8}).tril();
  kept.push_back(mask);
  return mask.to(torch::kCUDA);
}
