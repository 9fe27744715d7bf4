// The result of a transfer is thrown away, in the shapes in which people write it.

#include <torch/torch.h>

#include <utility>
#include <vector>

struct Frame {
  torch::Tensor pixels;
};

void statement(torch::Tensor x, torch::Device device) {
  x.to(device);                // LINT: discarded-transfer
  x.to(torch::kCUDA);          // LINT: discarded-transfer
  x.cuda();                    // LINT: discarded-transfer
  x.cpu();                     // LINT: discarded-transfer
  x.to("cuda:1");              // LINT: discarded-transfer
  x.to(device, true);          // LINT: discarded-transfer
  x.to(device, torch::kHalf);  // LINT: discarded-transfer
}

void without_braces(torch::Tensor x, torch::Device device, bool use_gpu, int n) {
  if (use_gpu) x.to(device);  // LINT: discarded-transfer
  if (!use_gpu)
    x.relu_();
  else
    x.to(device);                               // LINT: discarded-transfer
  for (int i = 0; i < n; ++i) x[i].to(device);  // LINT: discarded-transfer
  while (n-- > 0) x.to(device);                 // LINT: discarded-transfer
}

void comma(torch::Tensor x, torch::Tensor y, torch::Device device) {
  x.to(device), y.to(device);  // LINT: discarded-transfer
  x.to(device), y = y.to(device);  // LINT: discarded-transfer
}

void ternary(torch::Tensor x, torch::Tensor y, torch::Device device, bool gpu) {
  gpu ? x.to(device) : y;  // LINT: discarded-transfer
}

void conversion(torch::Tensor x) {
  x.to(torch::kHalf);  // LINT: discarded-transfer
}

void receivers(Frame& frame, const torch::Tensor& constant, std::vector<torch::Tensor>& all,
               std::pair<torch::Tensor, torch::Tensor> pair, torch::Device device) {
  frame.pixels.to(device);                     // LINT: discarded-transfer
  constant.to(device);                         // LINT: discarded-transfer
  all[0].to(device);                           // LINT: discarded-transfer
  std::get<0>(pair).to(device);                // LINT: discarded-transfer
  for (auto& tensor : all) tensor.to(device);  // LINT: discarded-transfer
  auto [first, second] = pair;
  first.to(device);              // LINT: discarded-transfer
  torch::ones({2}).to(device);   // a fresh temporary: this warms the device up
  constant.detach().to(device);  // LINT: discarded-transfer
}

void lambda(torch::Tensor x, torch::Device device) {
  auto move = [&] {
    x.to(device);  // LINT: discarded-transfer
  };
  move();
}

template <class T>
void instantiated(T value, torch::Device device) {
  value.to(device);  // LINT: discarded-transfer
}

struct InPlace {
  void to(torch::Device device);
};

void call_it(torch::Tensor x, InPlace other, torch::Device device) {
  instantiated(x, device);
  instantiated(other, device);
}

void from_outside_memory(std::vector<float>& data, bool use_gpu) {
  auto tensor = torch::from_blob(data.data(), {static_cast<int64_t>(data.size())});
  if (use_gpu) {
    tensor.to(torch::kCUDA);  // LINT: discarded-transfer
  }
}
