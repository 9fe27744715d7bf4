// Each global is moved, in one of the ways that there are.

#include "lasting.h"

namespace lasting {

torch::Device device(torch::kCPU);
torch::Tensor mean = torch::tensor({0.4, 0.5, 0.6});
torch::nn::Linear net(3, 4);
std::shared_ptr<torch::nn::LinearImpl> head;
torch::Tensor scratch = torch::zeros({3});
torch::Tensor* pointed = &scratch;
torch::Tensor Constants::weights = torch::ones({3});
torch::nn::Linear Constants::scale(3, 3);
static torch::Tensor table;

torch::Tensor& instance() {
  static torch::Tensor only = torch::ones({3});
  return only;
}

void replace(torch::Tensor& shared) { shared = shared.to(device); }

void set_up() {
  device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  mean = mean.to(device);
  net->to(device);
  head = std::make_shared<torch::nn::LinearImpl>(3, 4);
  head->to(device);
  table = torch::rand({3, 3});
  table = table.to(device);
  *pointed = scratch.to(device);
  replace(Constants::weights);
  Constants::scale->to(device);
  instance() = instance().to(device);
  torch::mm(table, torch::ones({3, 3}, device));
}

}  // namespace lasting
