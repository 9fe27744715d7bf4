// Devices that are named by a text: one text is one device.

#include <torch/torch.h>

#include <string>

void of_a_parameter(const torch::Tensor& batch, const std::string& device) {
  auto data = batch.cpu();
  auto first = data.to(device);
  auto again = data.to(device);  // LINT: repeated-transfer
  (first + again).sum();
}

class Model : public torch::nn::Module {
 public:
  explicit Model(std::string where) : layer(register_module("layer", torch::nn::Linear(4, 4))) {
    device = where;
    to(device);
  }
  torch::Tensor fit(const torch::Tensor& batch) {
    auto data = batch.cpu();
    auto first = data.to(this->device);
    auto again = data.to(this->device);  // LINT: repeated-transfer
    return layer(first + again);
  }

 private:
  torch::nn::Linear layer;
  std::string device;
};

void of_the_run(int argc) {
  std::string device = argc > 1 ? "cuda" : "cpu";
  torch::nn::Linear net(4, 4);
  net->to(device);
  net->forward(torch::zeros({2, 4}));  // LINT: missing-transfer
}
