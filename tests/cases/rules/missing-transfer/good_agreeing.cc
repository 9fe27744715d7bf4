// The other operand does not show that an operand of unknown place is on a device here.

#include <torch/torch.h>

namespace agreeing {

torch::Tensor either_way(torch::Tensor x, bool there, torch::Device device) {
  if (there) return torch::mm(x, torch::ones({2, 2}).to(device));
  return torch::mm(x, torch::ones({2, 2}));
}

torch::Tensor moved_between(torch::Tensor x, torch::Device device) {
  auto host = torch::mm(x, torch::ones({2, 2}));
  x = x.to(device);
  return torch::mm(x, torch::ones({2, 2}, device));
}

torch::Tensor without_dimensions(torch::Tensor x, torch::Device device) {
  auto scaled = x * torch::tensor(2.0).to(device);
  return torch::mm(x, torch::ones({2, 2}));
}

torch::Tensor all_on_the_host(torch::Tensor x) {
  auto one = torch::mm(x, torch::ones({2, 2}).to(torch::kCPU));
  return one + torch::mm(x, torch::ones({2, 2}));
}

torch::Tensor a_module_that_moves(torch::nn::Linear& net, torch::Tensor data,
                                  torch::Device device) {
  auto host = net->forward(torch::ones({8, 16}));
  net->to(device);
  return net->forward(data.to(device));
}

torch::Tensor asked_first(torch::Tensor x, torch::Device device) {
  if (x.is_cuda()) return torch::mm(x, torch::ones({2, 2}, device));
  return torch::mm(x, torch::ones({2, 2}));
}

torch::Tensor of_each_place(torch::Tensor x, torch::Device device) {
  auto there = torch::mm(x.to(device), torch::ones({2, 2}, device));
  return torch::mm(x, torch::ones({2, 2}));
}

torch::Tensor an_index_made_here(torch::Tensor input) {
  auto there = torch::arange(8).to(input.device());
  auto here = torch::arange(8);
  return input.index_select(0, there) + input.index({here});
}

torch::Tensor a_copy_on_the_host(torch::Tensor input, torch::Tensor other) {
  other = other.to(input.device());
  auto host = torch::mm(input.cpu(), torch::ones({2, 2}));
  return input + other + host.to(input.device());
}

}  // namespace agreeing
