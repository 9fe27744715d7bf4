// Look-alikes of bad_needs_of_branches: some branch comes through.

#include <torch/torch.h>

#include <string>

namespace good_needs_of_branches {

// One branch moves what it gets.
torch::Tensor moving(const torch::Tensor& one, const torch::Tensor& other, int kind) {
  if (kind == 0) return torch::mse_loss(one, other);
  if (kind == 1) return torch::nll_loss(one, other);
  return torch::l1_loss(one, other.to(one.device()));
}
// One takes only one of them.
torch::Tensor partly(const torch::Tensor& one, const torch::Tensor& other, int kind) {
  if (kind == 0) return torch::mse_loss(one, other);
  if (kind == 1) return torch::nll_loss(one, other);
  return one.sum();
}
// The branches need it of different tensors.
torch::Tensor chosen(const torch::Tensor& one, const torch::Tensor& other,
                     const torch::Tensor& third, bool first) {
  if (first) return torch::mse_loss(one, other);
  return torch::mse_loss(one, third);
}
// Code for one kind of device.
torch::Tensor asked(const torch::Tensor& one, const torch::Tensor& other) {
  if (one.device() == other.device()) return torch::mse_loss(one, other);
  if (other.is_cpu()) return torch::mse_loss(one.cpu(), other);
  return torch::mse_loss(one, other.cpu());
}

void apart() {
  auto there = torch::rand({8, 8}, torch::kCUDA);
  auto here = torch::rand({8, 8});
  moving(there, here, 2);
  partly(there, here, 2);
  chosen(there, there, here, true);
  asked(there, here);
}
void together(int kind, bool first) {
  auto there = torch::rand({8, 8}, torch::kCUDA);
  moving(there, there, kind);
  partly(there, there, kind);
  chosen(there, there, there, first);
  asked(there, there);
}

}  // namespace good_needs_of_branches
