// Functions that are given an object, and leave what it holds where it is.

#include <torch/torch.h>

#include <iostream>
#include <memory>

struct Minibatch {
  torch::Tensor data, target;
};

struct Learner {
  std::shared_ptr<torch::nn::LinearImpl> net;
  torch::Tensor memory;
};

/// Keeps the module whose parameters it trains.
struct Trainer {
  explicit Trainer(std::shared_ptr<torch::nn::LinearImpl> module)
      : net(module), sgd(module->parameters(), 0.1) {}
  void step() { sgd.step(); }
  std::shared_ptr<torch::nn::LinearImpl> net;
  torch::optim::SGD sgd;
};

/// Other objects of the classes are elsewhere.
void upload(Minibatch& batch, Learner& learner) {
  batch.data = torch::ones({2}, torch::kCUDA);
  learner.memory = torch::ones({2}, torch::kCUDA);
  learner.net->to(torch::kCPU);
}

long count(Minibatch& batch) { return batch.data.size(0); }
void show(const Learner& learner) { std::cout << learner.memory.sizes(); }
void train(Trainer& trainer) { trainer.step(); }

void counted() {
  Minibatch batch{torch::ones({2}), torch::ones({2})};
  count(batch);
  torch::add(batch.data, torch::ones({2}, torch::kCUDA));  // LINT: missing-transfer
}

void shown() {
  Learner learner;
  learner.net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  learner.net->to(torch::kCUDA);
  learner.memory = torch::ones({2});
  show(learner);
  learner.net->forward(learner.memory);  // LINT: missing-transfer
}

void trained() {
  auto net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  net->to(torch::kCUDA);
  Trainer trainer(net);
  train(trainer);
  net->forward(torch::ones({2}));  // LINT: missing-transfer
}
