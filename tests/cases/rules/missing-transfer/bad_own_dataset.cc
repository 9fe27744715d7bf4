// Batches of a team's own data set, whose tensors its constructor made.

#include <torch/torch.h>

#include <optional>

struct Digits : torch::data::Dataset<Digits> {
  explicit Digits(int64_t count) {
    images_ = torch::empty({count, 784}, torch::kByte).to(torch::kFloat).div_(255);
    labels_ = torch::zeros({count}, torch::kLong);
  }
  torch::data::Example<> get(size_t index) override {
    return {images_[static_cast<int64_t>(index)], labels_[static_cast<int64_t>(index)]};
  }
  torch::optional<size_t> size() const override { return images_.size(0); }
  std::optional<int64_t> count() const { return labels_.size(0); }

 private:
  torch::Tensor images_, labels_;
};

void train(torch::nn::Linear net, torch::Device device) {
  net->to(device);
  auto loader =
      torch::data::make_data_loader(Digits(1000).map(torch::data::transforms::Stack<>()), 64);
  for (auto& batch : *loader) {
    auto y = net->forward(batch.data);  // LINT: missing-transfer
    auto z = net->forward(batch.data.to(device));
    auto loss = torch::nll_loss(z, batch.target);  // LINT: missing-transfer
  }
}

torch::Tensor first(torch::nn::Linear net, torch::Device device) {
  net->to(device);
  auto loader =
      torch::data::make_data_loader(Digits(1000).map(torch::data::transforms::Stack<>()), 64);
  auto batch = *loader->begin();
  auto right = net->forward(batch.data.to(device));
  return right + net->forward(batch.data);  // LINT: missing-transfer
}
