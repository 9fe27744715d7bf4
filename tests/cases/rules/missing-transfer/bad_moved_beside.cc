// An operand on an unknown device is not moved, but one that came with it is, before the two meet.

#include <torch/torch.h>

#include <tuple>
#include <vector>

namespace moved_beside {

struct Batch {
  torch::Tensor data, target, mask;
};
Batch next();
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> sample();
std::vector<torch::Tensor> both();
torch::Tensor loss_of(torch::nn::Linear& net, torch::Tensor input, torch::Tensor target) {
  return torch::nll_loss(net->forward(input), target);
}

torch::Tensor fields(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto logits = net->forward(batch.data.to(device));
  return torch::nll_loss(logits, batch.target);  // LINT: missing-transfer
}

torch::Tensor the_input(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto logits = net->forward(batch.data);
  return torch::nll_loss(logits, batch.target.to(device));  // LINT: missing-transfer
}

void of_each(torch::nn::Linear& net, const std::vector<Batch>& batches) {
  for (const Batch& batch : batches) {
    auto logits = net->forward(batch.data.cuda());
    torch::nll_loss(logits, batch.target).backward();  // LINT: missing-transfer
  }
}

torch::Tensor bindings(torch::nn::Linear& net, torch::Device device) {
  auto [states, actions, rewards] = sample();
  auto values = net->forward(states.to(device));
  return torch::mse_loss(values, rewards);  // LINT: missing-transfer
}

torch::Tensor by_number(torch::nn::Linear& net) {
  auto all = sample();
  auto values = net->forward(std::get<0>(all).to(torch::kCUDA));
  return torch::mse_loss(values, std::get<1>(all));  // LINT: missing-transfer
}

torch::Tensor elements(torch::nn::Linear& net, torch::Device device) {
  auto all = both();
  auto values = net->forward(all[0].to(device));
  return torch::mse_loss(values, all[1]);  // LINT: missing-transfer
}

torch::Tensor parameters(torch::nn::Linear& net, torch::Tensor states, torch::Tensor actions,
                         torch::Tensor rewards, torch::Device device) {
  states = states.to(device);
  actions = actions.to(device);
  auto values = net->forward(states).gather(1, actions);
  return torch::mse_loss(values, rewards);  // LINT: missing-transfer
}

torch::Tensor itself(torch::nn::Linear& encoder, torch::Tensor image, torch::Device device) {
  auto restored = encoder->forward(image.to(device));
  return torch::mse_loss(restored, image);  // LINT: missing-transfer
}

torch::Tensor if_there_is_one(torch::nn::Linear& net) {
  Batch batch = next();
  auto data = batch.data;
  auto target = batch.target.squeeze();
  if (torch::cuda::is_available()) data = data.to(torch::kCUDA);
  auto logits = net->forward(data);
  return torch::nll_loss(logits, target);  // LINT: missing-transfer
}

torch::Tensor in_a_helper(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  return loss_of(net, batch.data, batch.target.to(device));  // LINT: missing-transfer
}

class Trainer {
 public:
  // Where the network is nobody knows either; two of the three agree with it.
  torch::Tensor step(torch::Tensor states, torch::Tensor policy, torch::Tensor value) {
    states = states.to(device_);
    value = value.to(device_);
    auto out = net_->forward(states);
    return torch::mse_loss(out, value) +
           torch::mse_loss(out, policy);  // LINT: missing-transfer
  }

 private:
  torch::nn::Linear net_{nullptr};
  torch::Device device_{torch::kCUDA};
};

}  // namespace moved_beside
