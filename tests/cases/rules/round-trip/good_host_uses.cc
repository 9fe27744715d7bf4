// The host looked at the copy or changed it.

#include <torch/torch.h>

#include <iostream>

void inspect(const torch::Tensor& tensor);
void edit(torch::Tensor& tensor);

torch::Tensor printed() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  std::cout << host << '\n';
  return host.cuda() * 2;
}

torch::Tensor changed() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  host[0] = 0;
  return host.cuda() * 2;
}

torch::Tensor given_away() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  edit(host);
  return host.cuda() * 2;
}

torch::Tensor computed() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  torch::Tensor inverse = torch::inverse(host.view({2, 4}).matmul(host.view({4, 2})));
  return inverse.cuda() * 2;
}

torch::Tensor saved() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  torch::save(host, "x.pt");
  inspect(host);
  return host.cuda() * 2;
}
