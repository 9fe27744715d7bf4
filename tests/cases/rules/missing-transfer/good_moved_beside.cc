// Its companion is moved and it is not, which is right, or at least not certainly wrong.

#include <torch/torch.h>

#include <tuple>
#include <vector>

namespace moved_beside {

struct Batch {
  torch::Tensor data, target, mask;
};
struct Made {
  torch::Tensor data, target;
};
Batch next();
void move(Batch& batch, torch::Device device);
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> sample();

torch::Tensor all_moved(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto target = batch.target.to(device);
  return torch::nll_loss(net->forward(batch.data.to(device)), target);
}

torch::Tensor brought_back(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto logits = net->forward(batch.data.to(device)).to(torch::kCPU);
  return logits.argmax(1).eq(batch.target);
}

double read_by_the_host(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto logits = net->forward(batch.data.to(device));
  return logits.sum().item<double>() - batch.target.item<double>();
}

torch::Tensor made_apart(torch::nn::Linear& net, torch::Tensor image) {
  Made batch;
  batch.data = image;
  batch.target = torch::ones({2, 2}, torch::kCUDA);
  auto logits = net->forward(batch.data.to(torch::kCUDA));
  return torch::mse_loss(logits, batch.target);
}

torch::Tensor asked_first(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto data = batch.data;
  if (!data.is_cuda()) data = data.to(device);
  return torch::nll_loss(net->forward(data), batch.target);
}

torch::Tensor one_of_two_parameters(torch::nn::Linear& net, torch::Tensor states,
                                    torch::Tensor rewards, torch::Device device) {
  return torch::mse_loss(net->forward(states.to(device)), rewards);
}

torch::Tensor moved_by_others(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  auto data = batch.data.to(device);
  move(batch, device);
  return torch::nll_loss(net->forward(data), batch.target);
}

torch::Tensor of_two_records(torch::nn::Linear& net, torch::Device device) {
  Batch one = next(), other = next();
  return torch::nll_loss(net->forward(one.data.to(device)), other.target);
}

torch::Tensor only_converted(torch::nn::Linear& net) {
  Batch batch = next();
  return torch::nll_loss(net->forward(batch.data.to(torch::kFloat)), batch.target);
}

torch::Tensor to_the_host(torch::nn::Linear& net) {
  Batch batch = next();
  return torch::nll_loss(net->forward(batch.data.to(torch::kCPU)), batch.target);
}

torch::Tensor an_index(torch::nn::Linear& net, torch::Device device) {
  Batch batch = next();
  return net->forward(batch.data.to(device)).index({batch.mask});
}

torch::Tensor on_another_path(torch::nn::Linear& net, torch::Device device, bool there) {
  Batch batch = next();
  if (there) {
    auto target = batch.target.to(device);
    return torch::nll_loss(net->forward(batch.data.to(device)), target);
  }
  return torch::nll_loss(net->forward(batch.data), batch.target);
}

torch::Tensor where_the_other_is(torch::nn::Linear& net) {
  Batch batch = next();
  auto logits = net->forward(batch.data.to(batch.target.device()));
  return torch::nll_loss(logits, batch.target);
}

torch::Tensor made_alike(torch::Tensor scores, torch::Tensor labels, torch::Device device) {
  auto weights = torch::ones_like(labels).to(device);
  auto there = torch::ones_like(labels).to(scores.device());
  return torch::nll_loss(scores.to(device), labels) * weights.sum() + there.sum();
}

torch::Tensor a_number(torch::nn::Linear& net, torch::Device device) {
  auto [states, actions, rewards] = sample();
  auto values = net->forward(states.to(device));
  return values * rewards.sum();
}

}  // namespace moved_beside
