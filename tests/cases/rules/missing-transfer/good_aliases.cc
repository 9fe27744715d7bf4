// Elements and parts that are moved by other names.

#include <torch/torch.h>

#include <vector>

// Elements assigned in a loop are read as elements.
torch::Tensor all(std::vector<torch::Tensor> list) {
  for (auto& x : list) x = x.to(torch::kCUDA);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

torch::Tensor made() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  for (auto& x : list) x = x.to(torch::kCUDA);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

torch::Tensor first() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  auto& x = list[0];
  x = x.to(torch::kCUDA);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

// Parts of pairs by reference.
struct Two {
  torch::Tensor a, b;
};

torch::Tensor part_of_a_record() {
  Two two{torch::ones({8}), torch::ones({8})};
  auto& [a, b] = two;
  a = a.to(torch::kCUDA);
  return two.a + torch::ones({8}, torch::kCUDA);
}

// Elements that calls and iterators change.
void move(torch::Tensor& x) { x = x.to(torch::kCUDA); }
void move_all(std::vector<torch::Tensor>::iterator begin, std::vector<torch::Tensor>::iterator end);
torch::Tensor each() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  for (auto& x : list) move(x);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

torch::Tensor by_a_name() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  auto& x = list[1];
  move(x);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

torch::Tensor by_a_range() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  move_all(list.begin(), list.end());
  return list[0] + torch::ones({8}, torch::kCUDA);
}

torch::Tensor by_iterators() {
  std::vector<torch::Tensor> list = {torch::ones({8}), torch::ones({8})};
  for (auto it = list.begin(); it != list.end(); ++it) *it = it->to(torch::kCUDA);
  return list[0] + torch::ones({8}, torch::kCUDA);
}

// Parts of modules.
torch::Tensor children() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(8, 8));
  for (auto& part : net->children()) part->to(torch::kCUDA);
  return net->forward(torch::ones({8}, torch::kCUDA));
}

torch::Tensor by_number() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(8, 8));
  net->ptr(0)->to(torch::kCUDA);
  return net->forward(torch::ones({8}, torch::kCUDA));
}

torch::Tensor applied() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(8, 8));
  net->apply([](torch::nn::Module& part) { part.to(torch::kCUDA); });
  return net->forward(torch::ones({8}, torch::kCUDA));
}
