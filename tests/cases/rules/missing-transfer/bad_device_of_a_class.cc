// A module that every method leaves on the device of its class.

#include <torch/torch.h>

// A module that every method leaves on the device of the class.
namespace left_on_the_device {

class Detector {
 public:
  void initialize(int gpu) {
    if (gpu >= 0) device = torch::Device(torch::kCUDA, gpu);
    model = torch::nn::Linear(8, 8);
    model->to(device);
  }
  void reload(const char* path) {
    torch::load(model, path);
    model->to(device);
    model->eval();
  }
  torch::Tensor right() { return model->forward(torch::ones({8, 8}).to(device)); }
  torch::Tensor wrong() { return model->forward(torch::ones({8, 8})); }  // LINT: missing-transfer
 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};

}  // namespace left_on_the_device

// While such a method runs the module may be where it was.
namespace while_it_is_moved {

class Detector {
 public:
  void initialize(torch::Device where) {
    device = where;
    if (false) auto before = model->forward(torch::ones({8, 8}));
    model->to(device);
    auto after = model->forward(torch::ones({8, 8}));  // LINT: missing-transfer
  }
  torch::Tensor run(torch::Device where) {
    initialize(where);
    auto x = torch::ones({8, 8}).to(device);
    return model->forward(x);
  }

 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};

}  // namespace while_it_is_moved
