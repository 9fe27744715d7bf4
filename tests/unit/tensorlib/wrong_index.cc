// An index out of range on a device: prints the error that tells of it, and ends in order. The
// device is of no use after that, so this is a program of its own. The argument names the
// operation.
#include <tensorlib/tensorlib.h>

#include <cstdio>
#include <string>

namespace torch = tensorlib;

namespace {

torch::Tensor loss_of(const std::string& operation, const torch::Tensor& scores,
                      const torch::Tensor& target) {
  if (operation == "nll_loss") return torch::nll_loss(scores, target);
  if (operation == "cross_entropy") return torch::nn::functional::cross_entropy(scores, target);
  const torch::Tensor weight = torch::ones({3}, torch::kCUDA);
  torch::nn::CrossEntropyLoss module(torch::nn::CrossEntropyLossOptions().weight(weight));
  return module(scores, target);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (!torch::cuda::is_available()) return 77;
  const torch::Tensor scores = torch::rand({2, 3}, torch::kCUDA).requires_grad_();
  const torch::Tensor good = torch::tensor({0, 2}).cuda(), wrong = torch::tensor({0, 6}).cuda();
  try {
    loss_of(argv[1], scores, good).backward();
    const torch::Tensor loss = loss_of(argv[1], scores, wrong);
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
