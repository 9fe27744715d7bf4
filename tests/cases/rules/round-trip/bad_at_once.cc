// There and back at once: nothing can happen between, whoever holds the value and wherever it is.

#include <torch/torch.h>

#include <vector>

void show(const torch::Tensor& x);

void others_hold_it(std::vector<torch::Tensor>& list, torch::Device device) {
  torch::Tensor x = torch::randn({4}).to(device);
  list.push_back(x);
  auto y = x.to(torch::kCPU).to(device);  // LINT: round-trip
  auto host = x.to(torch::kCPU);
  show(y);
  auto back = host.to(device);
  show(back);
}

torch::Tensor its_own_type(torch::Tensor x, torch::Device device) {
  auto options = torch::ones({1}, torch::kHalf).to(device).options();
  auto y = x.to(options).to(torch::kCPU).to(options);  // LINT: round-trip
  return y + x.to(torch::kFloat).to(device).to(torch::kCPU).to(options);
}

torch::Tensor wherever_it_is(torch::Tensor x) {
  return x.to(torch::kCPU).to(x.device());  // LINT: round-trip
}

// A call gives a tensor on CUDA.
static torch::Tensor back(torch::Tensor x) {
  auto host = x.cpu();
  auto other = torch::ones({2, 2});
  return host.to(x.device());  // LINT: round-trip
}

static void pass_on(const torch::Tensor& x) { back(x); }
void gives(torch::Device device) {
  auto x = torch::ones({2, 2});
  pass_on(x.to(device));
}
