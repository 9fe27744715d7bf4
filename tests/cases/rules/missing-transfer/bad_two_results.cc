// A dataset that hands out one of two records, each of the same places.

#include <torch/torch.h>

#include <string>
#include <vector>

class Images : public torch::data::datasets::Dataset<Images> {
 public:
  Images(const std::vector<std::string>& files, bool plain) : plain_(plain) {
    for (const auto& file : files) {
      images_.push_back(torch::ones({3, 8, 8}) * static_cast<int64_t>(file.size()));
      if (!plain) labels_.push_back(torch::ones({1}));
    }
  }
  torch::optional<size_t> size() const override { return images_.size(); }
  torch::data::Example<> get(size_t index) override {
    if (plain_) {
      auto nothing = torch::empty({1});
      return {images_[index], nothing};
    }
    return {images_[index], labels_[index].squeeze(0)};
  }

 private:
  std::vector<torch::Tensor> images_, labels_;
  bool plain_;
};

int main(int argc, char** argv) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(8, 8);
  model->to(device);
  auto images = Images({argv, argv + argc}, argc > 3).map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(images), 4);
  for (const auto& batch : *loader) {
    auto data = batch.data;
    model->forward(data);  // LINT: missing-transfer
    model->forward(data.to(device));
  }
  return 0;
}
