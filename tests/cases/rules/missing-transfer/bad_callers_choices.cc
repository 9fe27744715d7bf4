// A device that a flag of the callers' chooses, where the flag is not the same in every run.

#include <torch/torch.h>

#include <string>

// The constructor's parameter decides, and only then the module is moved.
class Detector {
 public:
  Detector(int64_t size, bool use_cuda)
      : net(size, size), device(use_cuda ? torch::kCUDA : torch::kCPU) {
    if (use_cuda) net->to(device);
  }
  torch::Tensor detect(const torch::Tensor& image) {
    auto features = net->forward(image.to(device));
    auto grid = torch::zeros({8, 8});
    return features + grid;  // LINT: missing-transfer
  }

 private:
  torch::nn::Linear net;
  torch::Device device;
};

// A field does, that the constructor was given.
class Trainer {
 public:
  explicit Trainer(int index) : gpu_index(index) {}
  void start() {
    torch::Device device = gpu_index >= 0 ? torch::Device(torch::kCUDA, gpu_index)
                                          : torch::Device(torch::kCPU);
    net->to(device);
    net->forward(torch::ones({8, 8}));  // LINT: missing-transfer
  }

 private:
  int gpu_index;
  torch::nn::Linear net{8, 8};
};

struct Config {
  explicit Config(const std::string& file) : path(file) {}
  bool gpu() const { return !path.empty(); }
  std::string path;
};

torch::Device device_of(const Config& config) {
  if (config.gpu()) return torch::kCUDA;
  return torch::kCPU;
}

// A record that is made of what one run gives and another does not.
void with_config(const Config& config) {
  torch::nn::Linear net(8, 8);
  net->to(device_of(config));
  net->forward(torch::ones({8, 8}));  // LINT: missing-transfer
}

int main(int argc, char** argv) {
  Detector detector(8, argc > 1);
  detector.detect(torch::ones({8, 8}));
  Trainer trainer(std::stoi(argv[1]));
  trainer.start();
  Config config(argv[2]);
  with_config(config);
  return 0;
}
