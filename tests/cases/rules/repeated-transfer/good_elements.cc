// Another element, or the list or the index has changed in between.

#include <torch/torch.h>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

void replace_first(std::vector<torch::Tensor>& parts) { parts[0] = torch::rand({3}); }
void unseen(std::vector<torch::Tensor>& parts);
int next_of(int& i) { return i++; }

torch::Tensor sum_of(torch::Tensor a, torch::Tensor b) { return (a + b).sum(); }

torch::Tensor assigned(std::vector<torch::Tensor> parts) {
  auto a = parts[0].to(torch::kCUDA);
  parts[0] = torch::rand({3});
  auto b = parts[0].to(torch::kCUDA);
  replace_first(parts);
  auto c = parts[0].to(torch::kCUDA);
  unseen(parts);
  auto d = parts[0].to(torch::kCUDA);
  return sum_of(a, b) + sum_of(c, d);
}

torch::Tensor inserted(std::vector<torch::Tensor> parts) {
  auto a = parts[0].to(torch::kCUDA);
  parts.insert(parts.begin(), torch::rand({3}));
  auto b = parts[0].to(torch::kCUDA);
  parts.erase(parts.begin());
  auto c = parts[0].to(torch::kCUDA);
  parts.clear();
  parts.push_back(torch::rand({3}));
  auto d = parts[0].to(torch::kCUDA);
  return sum_of(a, b) + sum_of(c, d);
}

torch::Tensor written(std::vector<torch::Tensor> parts) {
  auto a = parts[0].to(torch::kCUDA);
  parts[0].add_(1);
  auto b = parts[0].to(torch::kCUDA);
  std::swap(parts[0], parts[1]);
  auto c = parts[0].to(torch::kCUDA);
  for (auto& part : parts) part = part * 2;
  auto d = parts[0].to(torch::kCUDA);
  return sum_of(a, b) + sum_of(c, d);
}

torch::Tensor by_reference(std::vector<torch::Tensor> parts) {
  auto a = parts[0].to(torch::kCUDA);
  auto& first = parts[0];
  first = torch::rand({3});
  auto b = parts[0].to(torch::kCUDA);
  return sum_of(a, b);
}

torch::Tensor another_index(std::vector<torch::Tensor> parts, int i) {
  auto a = parts[i].to(torch::kCUDA);
  i++;
  auto b = parts[i].to(torch::kCUDA);
  i = 3;
  auto c = parts[i].to(torch::kCUDA);
  next_of(i);
  auto d = parts[i].to(torch::kCUDA);
  auto e = parts[i + 1].to(torch::kCUDA);
  auto f = parts[next_of(i)].to(torch::kCUDA);
  auto g = parts[next_of(i)].to(torch::kCUDA);
  return sum_of(a, b) + sum_of(c, d) + sum_of(e, f) + g;
}

torch::Tensor changed_by_a_lambda(std::vector<torch::Tensor> parts, int i) {
  auto step = [&] { ++i; };
  auto a = parts[i].to(torch::kCUDA);
  step();
  auto b = parts[i].to(torch::kCUDA);
  return sum_of(a, b);
}

torch::Tensor each_in_turn(std::vector<torch::Tensor> parts) {
  auto sum = torch::zeros({}, torch::kCUDA);
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    sum = sum + sum_of(parts[i].to(torch::kCUDA), parts[i + 1].to(torch::kCUDA));
  for (size_t i = 0; i < parts.size(); ++i) {
    auto part = parts[i].to(torch::kCUDA);
    sum = sum + part.mean();
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    auto part = parts[i].to(torch::kCUDA);
    sum = sum + part.max();
  }
  return sum;
}

torch::Tensor other_lists(std::vector<torch::Tensor> left, std::vector<torch::Tensor> right) {
  auto a = left[0].to(torch::kCUDA);
  auto b = right[0].to(torch::kCUDA);
  left = std::vector<torch::Tensor>{torch::rand({3})};
  auto c = left[0].to(torch::kCUDA);
  return sum_of(a, b) + c.sum();
}

torch::Tensor moved_in_place(std::vector<torch::Tensor> parts, torch::nn::Linear net) {
  net->to(torch::kCUDA);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i] = parts[i].to(torch::kCUDA);
    net->forward(parts[i]);
  }
  return net->forward(parts[0]);
}

torch::Tensor by_key(std::map<std::string, torch::Tensor> batch, std::string key) {
  auto a = batch[key].to(torch::kCUDA);
  key = "other";
  auto b = batch[key].to(torch::kCUDA);
  auto c = batch["image"].to(torch::kCUDA);
  batch["image"] = torch::rand({3});
  auto d = batch["image"].to(torch::kCUDA);
  return sum_of(a, b) + sum_of(c, d);
}

float before_and_after(torch::nn::Linear net, torch::optim::SGD& optimizer) {
  net->to(torch::kCUDA);
  auto parameters = net->parameters();
  auto before = parameters[0].to(torch::kCPU);
  optimizer.step();
  auto after = parameters[0].to(torch::kCPU);
  return (after - before).abs().max().item<float>();
}

torch::Tensor own_parameters(torch::Tensor x) {
  torch::nn::Linear net(3, 3);
  std::vector<torch::Tensor> weights = net->parameters();
  torch::optim::SGD optimizer(weights, 0.1);
  auto a = weights[0].to(torch::kCUDA);
  net->forward(x).sum().backward();
  optimizer.step();
  auto b = weights[0].to(torch::kCUDA);
  return a - b;
}

torch::Tensor changed_by_lambdas() {
  std::vector<torch::Tensor> parts{torch::rand({3}), torch::rand({3})};
  auto replace = [&parts] { parts[0] = parts[0] + 1; };
  auto scale = [&](int i) { parts[i].mul_(2); };
  auto a = parts[0].to(torch::kCUDA);
  replace();
  auto b = parts[0].to(torch::kCUDA);
  scale(0);
  auto c = parts[0].to(torch::kCUDA);
  return sum_of(a, b) + c.sum();
}

torch::Tensor queued() {
  std::deque<torch::Tensor> queue;
  queue.push_back(torch::rand({3}));
  queue.push_back(torch::rand({3}));
  auto a = queue[0].to(torch::kCUDA);
  queue.pop_front();
  auto b = queue[0].to(torch::kCUDA);
  queue.push_front(torch::rand({3}));
  auto c = queue[0].to(torch::kCUDA);
  return sum_of(a, b) + c.sum();
}

struct Stepper {
  std::vector<torch::Tensor> states{torch::rand({3}), torch::rand({3})};
  int at = 0;
  void step() { states[0] = states[0] + 1; }
  void step_in_place() { states[0].add_(1); }
  void grow() { states.insert(states.begin(), torch::rand({3})); }
  void next() { ++at; }
  torch::Tensor run() {
    auto a = states[0].to(torch::kCUDA);
    step();
    auto b = states[0].to(torch::kCUDA);
    step_in_place();
    auto c = states[0].to(torch::kCUDA);
    grow();
    auto d = states[0].to(torch::kCUDA);
    auto e = states[at].to(torch::kCUDA);
    next();
    auto f = states[at].to(torch::kCUDA);
    return sum_of(a, b) + sum_of(c, d) + sum_of(e, f);
  }
};
