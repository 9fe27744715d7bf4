// Data sets and transforms of one's own.

#include <torch/torch.h>

using torch::data::transforms::Stack;

// A data set of one's own is where its get says.
struct Files : torch::data::Dataset<Files> {
  torch::data::Example<> get(std::size_t index) override {
    auto image = torch::ones({3, 8, 8});
    auto label = torch::tensor(1.0);
    return {image.view({24, 8}), label};
  }
  torch::optional<size_t> size() const override { return 8; }
};

struct Resident : torch::data::Dataset<Resident> {
  torch::data::Example<> get(std::size_t index) override {
    return {images[index], torch::ones({1}, torch::kCUDA)};
  }
  torch::optional<size_t> size() const override { return 8; }
  torch::Tensor images = torch::ones({8, 8}).to(torch::kCUDA);
};

struct OnTheGpu : torch::data::Dataset<OnTheGpu> {
  torch::data::Example<> get(std::size_t index) override {
    return {torch::ones({8, 8}, torch::kCUDA), torch::ones({1}, torch::kCUDA)};
  }
  torch::optional<size_t> size() const override { return 8; }
};

struct Elsewhere : torch::data::Dataset<Elsewhere> {
  torch::data::Example<> get(std::size_t index) override;
  torch::optional<size_t> size() const override;
};

void data_sets() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto files = torch::data::make_data_loader(Files().map(Stack<>()), 32);
  for (auto& batch : *files) model->forward(batch.data);  // LINT: missing-transfer
  auto resident = torch::data::make_data_loader(Resident().map(Stack<>()), 32);
  for (auto& batch : *resident) model->forward(batch.data);
  auto gpu = torch::data::make_data_loader(OnTheGpu().map(Stack<>()), 32);
  for (auto& batch : *gpu) model->forward(batch.data);
  auto elsewhere = torch::data::make_data_loader(Elsewhere().map(Stack<>()), 32);
  for (auto& batch : *elsewhere) model->forward(batch.data);
}

// Transforms of one's own may move.
struct Flip : torch::data::transforms::TensorTransform<> {
  torch::Tensor operator()(torch::Tensor x) override { return x.t(); }
};

struct Upload : torch::data::transforms::TensorTransform<> {
  torch::Tensor operator()(torch::Tensor x) override { return x.to(torch::kCUDA); }
};

void transforms(torch::data::transforms::TensorLambda<> lambda) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto flipped = torch::data::make_data_loader(
      torch::data::datasets::MNIST("x").map(Flip()).map(Stack<>()), 32);
  for (auto& batch : *flipped) model->forward(batch.data);  // LINT: missing-transfer
  auto moved = torch::data::make_data_loader(
      torch::data::datasets::MNIST("x").map(Upload()).map(Stack<>()), 32);
  for (auto& batch : *moved) model->forward(batch.data);
  auto unknown = torch::data::make_data_loader(
      torch::data::datasets::MNIST("x").map(lambda).map(Stack<>()), 32);
  for (auto& batch : *unknown) model->forward(batch.data);
}
