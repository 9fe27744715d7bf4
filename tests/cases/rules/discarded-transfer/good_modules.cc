// A module moves in place, and so do classes whose own `to` says so.

#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(4, 2))) {}
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

struct Scene {
  void to(torch::Device device) { points = points.to(device); }
  torch::Tensor points;
};

struct Camera {
  Camera& to(torch::Device device) {
    pose = pose.to(device);
    return *this;
  }
  torch::Tensor pose;
};

template <class M>
void place(M& module, torch::Device device) {
  module->to(device);
}

void modules(torch::Device device) {
  Net holder;
  holder->to(device);
  NetImpl value;
  value.to(device);
  auto shared = std::make_shared<NetImpl>();
  shared->to(device);
  torch::nn::Sequential sequence(torch::nn::Linear(4, 4), torch::nn::ReLU());
  sequence->to(device);
  sequence->to(torch::kHalf);
  place(holder, device);
  place(shared, device);
  torch::nn::Module& base = *holder;
  base.to(device, torch::kHalf);
}

void own_classes(Scene& scene, Camera& camera, torch::Device device) {
  scene.to(device);
  camera.to(device);
  if (device.is_cuda()) scene.to(torch::kCPU);
}
