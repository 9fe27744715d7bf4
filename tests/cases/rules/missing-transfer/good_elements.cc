// Elements of lists that a function which is given one of them by reference moves.

#include <torch/torch.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

torch::Tensor on_cpu() { return torch::ones({2, 3}); }
torch::Tensor on_cuda() { return torch::ones({2, 3}).to(torch::kCUDA); }
void upload(torch::Tensor& x) { x = x.to(torch::kCUDA); }
void upload_by_pointer(torch::Tensor* x) { *x = x->to(torch::kCUDA); }
void upload_all(std::vector<torch::Tensor>& list) {
  for (auto& x : list) x = x.to(torch::kCUDA);
}
void from_elsewhere(torch::Tensor& x);

torch::Tensor each_by_its_number() {
  std::vector<torch::Tensor> list{on_cpu()};
  for (size_t i = 0; i < list.size(); ++i) upload(list[i]);
  return list[0] + on_cuda();
}

torch::Tensor the_last() {
  std::vector<torch::Tensor> list{on_cpu()};
  from_elsewhere(list.back());
  return list[0] + on_cuda();
}

torch::Tensor by_a_pointer() {
  std::vector<torch::Tensor> list{on_cpu()};
  upload_by_pointer(&list[0]);
  return list[0] + on_cuda();
}

torch::Tensor of_a_map() {
  std::map<std::string, torch::Tensor> map;
  map["a"] = on_cpu();
  upload(map["a"]);
  return map["a"] + on_cuda();
}

torch::Tensor of_an_array() {
  torch::Tensor list[2] = {on_cpu(), on_cpu()};
  upload(list[0]);
  return list[0] + on_cuda();
}

torch::Tensor of_a_tuple() {
  auto pair = std::make_tuple(on_cpu(), 1);
  upload(std::get<0>(pair));
  return std::get<0>(pair) + on_cuda();
}

torch::Tensor of_a_list_in_a_list() {
  std::vector<std::vector<torch::Tensor>> lists{{on_cpu()}};
  upload_all(lists[0]);
  return lists[0][0] + on_cuda();
}
