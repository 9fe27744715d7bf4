// Something else may have moved it.

#include <torch/torch.h>

#include <functional>
#include <vector>

void place(torch::Tensor& tensor);
void place_all(std::vector<torch::Tensor>& tensors);
torch::Tensor load(const char* name);

torch::nn::Linear shared_layer(8, 2);

torch::Tensor by_reference() {
  auto gpu = torch::ones({4}, torch::kCUDA);
  auto x = torch::ones({4});
  place(x);
  return gpu + x;
}

torch::Tensor in_a_container() {
  std::vector<torch::Tensor> all{torch::ones({4}), torch::ones({4})};
  place_all(all);
  return all[0] + torch::ones({4}, torch::kCUDA);
}

torch::Tensor by_a_lambda() {
  auto x = torch::ones({4});
  std::function<void()> move = [&x] { x = x.cuda(); };
  move();
  return x + torch::ones({4}, torch::kCUDA);
}

torch::Tensor from_somewhere() {
  shared_layer->to(torch::kCUDA);
  return shared_layer->forward(load("x"));
}

torch::Tensor by_a_loop(int n) {
  auto x = torch::ones({4});
  for (int i = 0; i < n; ++i) x = x.cuda();
  return x + torch::ones({4}, torch::kCUDA);
}

void keep(torch::nn::Linear module);

torch::Tensor by_its_handle() {
  torch::nn::Linear net(4, 4);
  keep(net);
  return net->forward(torch::ones({4, 4}).cuda());
}

torch::Tensor by_a_pointer() {
  auto x = torch::ones({4});
  torch::Tensor* p = &x;
  *p = x.cuda();
  return x + torch::ones({4}, torch::kCUDA);
}
