// Batches of data loaders: where they are, and how people take them.

#include <torch/torch.h>

#include <utility>

using torch::data::transforms::Stack;

// Batches of a library data set are on the CPU.
void over_batches(torch::Device device) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto set = torch::data::datasets::MNIST("x")
                 .map(torch::data::transforms::Normalize<>(0.1, 0.3))
                 .map(Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 32);
  for (auto& batch : *loader) {
    auto out = model->forward(batch.data);  // LINT: missing-transfer
    auto right = model->forward(batch.data.to(torch::kCUDA));
    auto loss = torch::matmul(right, batch.target);  // LINT: missing-transfer
    auto fine = torch::matmul(right, batch.target.to(torch::kCUDA));
    auto scalar = torch::mse_loss(right, batch.target);
  }
}

// The first batch.
void first_batch() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(torch::data::datasets::MNIST("x").map(Stack<>()), 32);
  auto batch = *loader->begin();
  model->forward(batch.data);  // LINT: missing-transfer
  model->forward(batch.data.to(torch::kCUDA));
  auto first = loader->begin();
  auto other = *first;
  model->forward(other.target.to(torch::kCUDA));
  model->forward(other.target);  // LINT: missing-transfer
}

struct Mine {
  torch::data::Example<> operator*();
};

void of_ones_own(Mine mine) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto batch = *mine;
  model->forward(batch.data);
}

// Structured bindings and copies of the batch.
void bindings() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(torch::data::datasets::MNIST("x").map(Stack<>()), 32);
  for (const auto& batch : *loader) {
    auto x = batch.data, y = batch.target;
    model->forward(x);  // LINT: missing-transfer
    x = x.to(torch::kCUDA);
    model->forward(x);
  }
  for (auto& [data, target] : *loader) {
    model->forward(data);  // LINT: missing-transfer
    data = data.to(torch::kCUDA);
    model->forward(data);
  }
}
