// Pageable memory has been read when the call returns; so has everything after a blocking copy.

#include <torch/torch.h>

torch::Tensor pageable() {
  torch::Tensor host = torch::zeros({8});
  torch::Tensor x = host.to(torch::kCUDA, true);
  host.fill_(1);
  return x + host.cuda();
}

torch::Tensor blocking() {
  torch::Tensor host = torch::zeros({8}).pin_memory();
  torch::Tensor x = host.to(torch::kCUDA);
  host.fill_(1);
  return x + host.cuda();
}

torch::Tensor unknown(torch::Tensor host) {
  torch::Tensor x = host.to(torch::kCUDA, true);
  host.fill_(1);
  return x;
}
