// A module that some method leaves elsewhere than on the device of its class.

#include <torch/torch.h>

class LeftOnTheCpu {
 public:
  void initialize(int gpu) {
    if (gpu >= 0) device = torch::Device(torch::kCUDA, gpu);
    model = torch::nn::Linear(8, 8);
    model->to(device);
  }
  void replace() { model = torch::nn::Linear(8, 8); }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }

 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};

class MovesTheDeviceAlone {
 public:
  void initialize() {
    model = torch::nn::Linear(8, 8);
    model->to(device);
  }
  void use(int gpu) { device = torch::Device(torch::kCUDA, gpu); }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }

 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};

class HandsItOut {
 public:
  void initialize(torch::Device where) {
    device = where;
    model = torch::nn::Linear(8, 8);
    model->to(device);
  }
  torch::nn::Linear handle() { return model; }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }

 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};

class MadeOnTheCpu {
 public:
  void move(torch::Device where) {
    device = where;
    model->to(device);
  }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }

 private:
  torch::Device device = torch::Device(torch::kCUDA);
  torch::nn::Linear model{8, 8};
};

class InALambda {
 public:
  void initialize(torch::Device where) {
    device = where;
    model = torch::nn::Linear(8, 8);
    model->to(device);
  }
  void later() {
    auto run = [this] { model->to(torch::kCPU); };
    run();
  }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }

 private:
  torch::Device device = torch::Device(torch::kCPU);
  torch::nn::Linear model{nullptr};
};
