#pragma once
// A dataset whose tensors another file makes.

#include <torch/torch.h>

#include <string>

struct Data : torch::data::datasets::Dataset<Data> {
  explicit Data(const std::string& path);
  torch::data::Example<> get(std::size_t index) override;
  torch::optional<std::size_t> size() const override;
  torch::Tensor images, labels;
};
