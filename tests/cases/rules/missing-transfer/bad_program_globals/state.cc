// The modules go to the device; the tensors stay where they are made.

#include "state.h"

namespace shared_state {

torch::Device device(torch::kCPU);
torch::Tensor mean = torch::tensor({0.4, 0.5, 0.6});
torch::Tensor table;
torch::nn::Linear net(3, 4);
std::shared_ptr<torch::nn::LinearImpl> head;
std::vector<torch::Tensor> frames;
torch::Tensor Constants::weights = torch::ones({4});
torch::nn::Linear Constants::scale(3, 3);

void set_up() {
  device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  net->to(device);
  head = std::make_shared<torch::nn::LinearImpl>(3, 4);
  head->to(device);
  table = torch::rand({3, 3});
  for (int i = 0; i < 4; ++i) frames.push_back(torch::rand({3}));
}

}  // namespace shared_state
