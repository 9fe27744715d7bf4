// Functions that are given to functions: the caller knows which one it gives.

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

// The result is where the given function leaves it.
void left_on_the_cpu(float* data) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  model->forward(image(data));  // LINT: missing-transfer
  model->forward(image(data, same));  // LINT: missing-transfer
  model->forward(image(data, [](torch::Tensor x) { return x + 1; }));  // LINT: missing-transfer
  model->forward(image(data, Scale()));  // LINT: missing-transfer
  model->forward(image_by_pointer(data, same));  // LINT: missing-transfer
  model->forward(image_by_pointer(data, &same));  // LINT: missing-transfer
}

// Functions that move what they are given.
void moved(float* data) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  model->forward(image(data, upload));
  model->forward(image(data, [](torch::Tensor x) { return x.cuda(); }));
  model->forward(image(data, Upload()));
  model->forward(image_by_pointer(data, upload));
}
