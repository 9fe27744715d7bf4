// A function that hands out one of two records, of which one is elsewhere.

#include <torch/torch.h>

#include <utility>

class Source {
 public:
  Source(torch::Device device, bool early) : device_(device), early_(early) {}
  // Its parts are on the device, whichever it is.
  std::pair<torch::Tensor, torch::Tensor> next() {
    auto data = torch::ones({8, 8}).to(device_);
    if (early_) return {data, torch::zeros({8, 8}).to(device_)};
    return {data * 2, data};
  }
  // The first is on the device on one way only.
  std::pair<torch::Tensor, torch::Tensor> mixed() {
    auto data = torch::ones({8, 8});
    if (early_) return {data.to(device_), data};
    return {data, data};
  }

 private:
  torch::Device device_;
  bool early_;
};

int main(int argc, char**) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(8, 8);
  model->to(device);
  Source source(device, argc > 1);
  auto [data, target] = source.next();
  model->forward(data) + target;
  auto [one, other] = source.mixed();
  model->forward(one);
  other + torch::ones({8, 8});
  return 0;
}
