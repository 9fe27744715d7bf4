// Copies that are made to see whether there is a device that works.

#include <torch/torch.h>

bool works() {
  try {
    auto probe = torch::tensor(0);
    probe = probe.to(torch::kCUDA);
    probe = probe.cpu();
  } catch (...) {
    return false;
  }
  return true;
}

bool works_at_once() {
  try {
    auto back = torch::ones({1}).to(torch::kCUDA).to(torch::kCPU);
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}
