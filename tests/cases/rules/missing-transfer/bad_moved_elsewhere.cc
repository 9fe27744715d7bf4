// A loader's batches are on an unknown device; one function moves them to a device before the
// network gets them, another does not.

#include <torch/torch.h>

#include <string>
#include <tuple>

namespace moved_elsewhere {

// Reads in ways that are not followed.
torch::Tensor decode(const std::string& file);

class Loader {
 public:
  bool operator()(std::tuple<torch::Tensor, torch::Tensor>& batch) {
    if (next_ == 100) return false;
    batch = {decode("image" + std::to_string(next_)), decode("label" + std::to_string(next_))};
    ++next_;
    return true;
  }
  torch::Tensor sample() { return decode("sample"); }

 private:
  int next_ = 0;
};

void train(Loader& loader, torch::nn::Linear& net, torch::Device device) {
  std::tuple<torch::Tensor, torch::Tensor> batch;
  while (loader(batch)) {
    auto image = std::get<0>(batch).to(device);
    auto label = std::get<1>(batch).to(device);
    torch::nll_loss(net->forward(image), label).backward();
  }
}

torch::Tensor scores(Loader& loader, torch::nn::Linear& net, torch::Device device) {
  std::tuple<torch::Tensor, torch::Tensor> batch;
  auto sum = torch::zeros({}, device);
  while (loader(batch)) {
    auto image = std::get<0>(batch);
    sum = sum + net->forward(image).sum();  // LINT: missing-transfer
  }
  return sum;
}

torch::Tensor shown(Loader& loader, torch::nn::Linear& net, torch::Device device) {
  auto image = loader.sample().to(device);
  return net->forward(image);
}

torch::Tensor written(Loader& loader, torch::nn::Linear& net, torch::Device device) {
  auto noise = torch::rand({8}).to(device);
  auto image = loader.sample();
  return net->forward(image.unsqueeze(0)) + noise;  // LINT: missing-transfer
}

}  // namespace moved_elsewhere
