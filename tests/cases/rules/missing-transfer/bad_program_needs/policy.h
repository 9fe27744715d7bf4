#pragma once
// A network whose methods take more than its input, and mix that with what it computes.

#include <torch/torch.h>

#include <tuple>
#include <vector>

class MaskedPolicyImpl : public torch::nn::Module {
 public:
  MaskedPolicyImpl();
  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor observation);
  torch::Tensor masked(torch::Tensor scores, torch::Tensor mask);
  torch::Tensor choose(torch::Tensor observation, torch::Tensor mask);
  torch::Tensor judge(torch::Tensor observation, torch::Tensor mask);

 private:
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Linear value_{nullptr};
};
TORCH_MODULE(MaskedPolicy);
