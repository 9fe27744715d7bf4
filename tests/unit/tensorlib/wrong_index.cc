// An index out of range on a device: prints the error that tells of it, and ends in order. The
// device is of no use after that, so this is a program of its own.
#include <tensorlib/tensorlib.h>

#include <cstdio>

namespace torch = tensorlib;

int main() {
  if (!torch::cuda::is_available()) return 77;
  const torch::Tensor scores = torch::rand({2, 3}, torch::kCUDA).requires_grad_();
  const torch::Tensor good = torch::tensor({0, 2}).cuda(), wrong = torch::tensor({0, 6}).cuda();
  try {
    torch::nll_loss(scores, good).backward();
    const torch::Tensor loss = torch::nll_loss(scores, wrong);
    std::printf("%f\n", loss.item<float>());
  } catch (const torch::IndexError& error) {
    std::printf("%s\n", error.what());
  }
  try {
    std::printf("%f\n", scores.sum().item<float>());
    return 1;
  } catch (const torch::Error&) {
    return 0;
  }
}
