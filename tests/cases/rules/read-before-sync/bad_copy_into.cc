// copy_ into pinned memory may come back before the data is there.

#include <torch/torch.h>

#include <vector>

float by_item(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3}, torch::TensorOptions().pinned_memory(true));
  host.copy_(gpu, /*non_blocking=*/true);
  return host.sum().item<float>();  // LINT: read-before-sync
}

float by_pointer(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3}).pin_memory();
  host.copy_(gpu, true);
  return host.data_ptr<float>()[0];  // LINT: read-before-sync
}

std::vector<float> by_range(torch::Tensor x, std::size_t count) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3}).pin_memory();
  host.copy_(gpu, true);
  const float* values = host.data_ptr<float>();
  return std::vector<float>(values, values + count);  // LINT: read-before-sync
}

float by_view(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3, 3}).pin_memory();
  torch::Tensor row = host[0];
  host.copy_(gpu, true);
  return row.view({3}).data_ptr<float>()[1];  // LINT: read-before-sync
}

float by_a_part(torch::Tensor x) {
  torch::Tensor host = x.cuda().to(torch::kCPU, /*non_blocking=*/true);
  std::vector<torch::Tensor> halves = host.chunk(2);
  return halves[0].item<float>();  // LINT: read-before-sync
}
