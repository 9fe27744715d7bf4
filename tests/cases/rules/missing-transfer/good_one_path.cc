// One path moves a tensor, and also moves the rest or ends before the two meet.

#include <torch/torch.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

struct NetImpl : torch::nn::Module {
  NetImpl() { layer = register_module("layer", torch::nn::Linear(3, 3)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

void both_in_one_branch() {
  Net model;
  auto input = torch::rand({2, 3});
  if (torch::cuda::is_available()) {
    model->to(torch::kCUDA);
    input = input.to(torch::kCUDA);
  }
  model->forward(input);
}

void both_by_one_question() {
  Net model;
  if (torch::cuda::is_available()) model->to(torch::kCUDA);
  auto input = torch::rand({2, 3});
  if (torch::cuda::is_available()) input = input.to(torch::kCUDA);
  model->forward(input);
}

void both_by_one_flag(bool use_cuda) {
  Net model;
  if (use_cuda) model->to(torch::kCUDA);
  auto input = use_cuda ? torch::rand({2, 3}).cuda() : torch::rand({2, 3});
  model->forward(input);
}

void by_what_the_device_is(torch::Device device) {
  Net model;
  model->to(device);
  auto input = torch::rand({2, 3});
  if (device.is_cuda()) input = input.to(device);
  model->forward(input);
}

void by_a_device_that_the_flag_chose(bool use_cuda) {
  torch::Device device(use_cuda ? torch::kCUDA : torch::kCPU);
  Net model;
  if (use_cuda) model->to(torch::kCUDA);
  model->forward(torch::rand({2, 3}, device));
}

torch::Tensor the_other_path_returns(bool use_cuda) {
  Net model;
  auto input = torch::rand({2, 3});
  if (use_cuda) model->to(torch::kCUDA);
  if (use_cuda) return model->forward(input.to(torch::kCUDA));
  return model->forward(input);
}

torch::Tensor the_other_path_ends(bool use_cuda) {
  Net model;
  auto input = torch::rand({2, 3});
  if (use_cuda) model->to(torch::kCUDA);
  if (use_cuda) throw std::runtime_error("not built for CUDA");
  return model->forward(input);
}

torch::Tensor asked_again(int count) {
  Net model;
  auto input = torch::rand({2, 3});
  const bool large = count > 100;
  if (large) model->to(torch::kCUDA);
  if (!large) return model->forward(input);
  return model->forward(input.to(torch::kCUDA));
}

torch::Tensor moved_back(bool use_cuda) {
  Net model;
  auto input = torch::rand({2, 3});
  if (use_cuda) model->to(torch::kCUDA);
  if (use_cuda) model->to(torch::kCPU);
  return model->forward(input);
}

torch::Tensor moved_after_all(bool use_cuda) {
  Net model;
  auto input = torch::rand({2, 3});
  if (use_cuda) model->to(torch::kCUDA);
  model->to(torch::kCPU);
  return model->forward(input);
}

torch::Tensor a_flag_that_is_not_set() {
  bool use_cuda = false;
  Net model;
  if (use_cuda) model->to(torch::kCUDA);
  return model->forward(torch::rand({2, 3}));
}

torch::Tensor by_turns() {
  Net model;
  torch::Tensor result;
  for (int turn = 0; turn < 4; ++turn) {
    auto input = torch::rand({2, 3});
    if (turn == 2) model->to(torch::kCUDA);
    if (turn >= 2) input = input.to(torch::kCUDA);
    result = model->forward(input);
  }
  return result;
}

torch::Tensor of_a_helper(bool use_cuda) {
  Net model;
  const auto place = [&](torch::Tensor x) { return use_cuda ? x.cuda() : x; };
  if (use_cuda) model->to(torch::kCUDA);
  return model->forward(place(torch::rand({2, 3})));
}

torch::Tensor found_or_made(bool use_cuda) {
  static Net model;
  auto input = torch::rand({2, 3});
  if (use_cuda) input = input.cuda();
  model->to(input.device());
  return model->forward(input);
}
