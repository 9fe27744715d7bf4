// Elements of lists and maps that are assigned.

#include <torch/torch.h>

#include <map>
#include <vector>

void lists(int n) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  std::vector<torch::Tensor> host(4);
  for (int i = 0; i < n; ++i) host[i] = torch::ones({8, 8});
  model->forward(host[1]);  // LINT: missing-transfer
  std::vector<torch::Tensor> moved(4);
  for (int i = 0; i < n; ++i) moved[i] = torch::ones({8, 8}, torch::kCUDA);
  model->forward(moved[1]);
  std::vector<torch::Tensor> mixed = {torch::ones({8, 8})};
  mixed[0] = mixed[0].to(torch::kCUDA);
  model->forward(mixed[0]);
  auto whole = torch::ones({8, 8}, torch::kCUDA);
  whole[0] = torch::ones({8});
  model->forward(whole);
}

void maps(int key) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  std::map<int, torch::Tensor> host;
  host[key] = torch::ones({8, 8});
  model->forward(host.at(1));  // LINT: missing-transfer
  std::map<int, torch::Tensor> moved;
  moved[key] = torch::ones({8, 8}, torch::kCUDA);
  model->forward(moved[1]);
}
