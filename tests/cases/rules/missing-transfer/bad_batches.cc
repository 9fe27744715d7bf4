// Batches that are lists of examples, that a team's own code collates, or that its `get_batch`
// makes.

#include <torch/torch.h>

#include <vector>

using Pair = torch::data::Example<>;

struct Rows : torch::data::datasets::Dataset<Rows> {
  torch::Tensor xs = torch::rand({64, 8}), ys = torch::rand({64, 1});
  Pair get(size_t index) override {
    const auto row = static_cast<int64_t>(index);
    return {xs[row], ys[row]};
  }
  torch::optional<size_t> size() const override { return 64; }
};

struct StackPairs : torch::data::transforms::Collation<Pair> {
  Pair apply_batch(std::vector<Pair> examples) override {
    std::vector<torch::Tensor> data, target;
    for (auto& example : examples) {
      data.push_back(example.data);
      target.push_back(example.target);
    }
    return {torch::stack(data), torch::stack(target)};
  }
};

struct RowsAtOnce : torch::data::datasets::BatchDataset<RowsAtOnce, std::vector<Pair>> {
  std::vector<Pair> get_batch(torch::ArrayRef<size_t> indices) override {
    std::vector<Pair> rows;
    for (size_t i = 0; i < indices.size(); ++i)
      rows.push_back({torch::rand({8}), torch::rand({1})});
    return rows;
  }
  torch::optional<size_t> size() const override { return 64; }
};

void lists_of_examples(torch::nn::Linear net) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  auto loader = torch::data::make_data_loader(Rows(), 8);
  for (auto& batch : *loader) {
    for (auto& example : batch) net->forward(example.data);  // LINT: missing-transfer
    net->forward(batch[0].data);                             // LINT: missing-transfer
    std::vector<torch::Tensor> data;
    for (const auto& example : batch) data.push_back(example.data);
    net->forward(torch::stack(data));  // LINT: missing-transfer
    net->forward(torch::stack(data).to(device));
    net->forward(batch[0].data.to(device));
  }
}

void collated(torch::nn::Linear net) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  auto loader = torch::data::make_data_loader(Rows().map(StackPairs()), 8);
  for (auto& batch : *loader) {
    auto y = net->forward(batch.data);  // LINT: missing-transfer
    y = net->forward(batch.data.to(device));
    torch::mse_loss(y, batch.target.to(device));
  }
}

void made_at_once(torch::nn::Linear net) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  auto loader = torch::data::make_data_loader(
      RowsAtOnce(), torch::data::samplers::SequentialSampler(64), 8);
  for (auto& batch : *loader)
    for (auto& example : batch) {
      net->forward(example.data.to(device));
      net->forward(example.data);  // LINT: missing-transfer
    }
}

struct Sample {
  torch::Tensor image, mask;
};

torch::Tensor own_samples(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  std::vector<Sample> samples;
  samples.push_back(Sample{torch::rand({8}), torch::rand({8})});
  return net->forward(samples[0].image);  // LINT: missing-transfer
}
