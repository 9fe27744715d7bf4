// Functions of which nothing is known, given to functions.

#include <torch/torch.h>

#include <functional>

torch::Tensor same(torch::Tensor x) { return x; }
torch::Tensor upload(torch::Tensor x) { return x.to(torch::kCUDA); }
torch::Tensor image(
    float* data,
    std::function<torch::Tensor(torch::Tensor)> transform = [](torch::Tensor x) { return x; }) {
  if (data == nullptr) return transform(torch::zeros({8, 8}));
  return transform(torch::from_blob(data, {8, 8}));
}

torch::Tensor image_by_pointer(float* data, torch::Tensor (*transform)(torch::Tensor)) {
  return transform(torch::from_blob(data, {8, 8}));
}

struct Upload {
  torch::Tensor operator()(torch::Tensor x) { return x.cuda(); }
};

struct Scale {
  torch::Tensor operator()(torch::Tensor x) { return x * 2; }
};

torch::Tensor elsewhere(torch::Tensor x);
torch::Tensor any(float* data, std::function<torch::Tensor(torch::Tensor)> transform, bool cuda) {
  if (cuda) transform = upload;
  return transform(torch::from_blob(data, {8, 8}));
}

struct Maybe {
  bool cuda;
  torch::Tensor operator()(torch::Tensor x) { return cuda ? x.cuda() : x; }
};

void run(float* data, std::function<torch::Tensor(torch::Tensor)> given, bool cuda) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  torch::Device device = cuda ? torch::kCUDA : torch::kCPU;
  model->forward(image(data, elsewhere));
  model->forward(image(data, given));
  model->forward(image(data, Maybe{cuda}));
  model->forward(image(data, [device](torch::Tensor x) { return x.to(device); }));
  model->forward(any(data, same, cuda));
}
