// Random numbers, one by one; orthogonal weights; grids; divergences.
#include <torch/torch.h>

#include <iostream>

#include "common.h"

int main() {
  torch::manual_seed(11);
  const auto weights = (wave({3, 5}).abs() + 0.1).cpu();
  const auto draw = [](const torch::Tensor& w, int64_t n, bool replacement) {
    std::cout << torch::multinomial(w, n, replacement) << "\n";
  };
  draw(weights, 1, false);
  draw(weights[0], 3, false);
  draw(weights, 1, true);
  draw(weights, 4, true);
  draw(weights.to(torch::kF64)[1], 6, true);
  std::cout << torch::bernoulli(weights * 0.5) << "\n";
  std::cout << torch::empty({4}).exponential_() << torch::empty({2}, torch::kF64).exponential_(3)
            << "\n";
  for (const std::vector<int64_t>& sizes :
       std::vector<std::vector<int64_t>>{{3, 5}, {5, 3}, {4, 2, 2}}) {
    std::cout << torch::nn::init::orthogonal_(torch::empty(sizes), 1.5) << "\n";
  }
  const auto x = wave({2}), y = wave({3}, 0.9);
  for (const char* indexing : {"ij", "xy"}) {
    for (const auto& grid : torch::meshgrid({x, y}, indexing)) std::cout << grid.cpu() << "\n";
  }
  namespace F = torch::nn::functional;
  const auto logits = wave({4, 3}).requires_grad_();
  const auto target = torch::softmax(wave({4, 3}, 0.8), 1);
  const auto log = torch::log_softmax(logits, 1);
  const auto sum = F::kl_div(log, target) +
                   F::kl_div(log, target, F::KLDivFuncOptions(torch::kBatchMean)) +
                   F::kl_div(log, target.log(), F::KLDivFuncOptions(torch::kSum).log_target(true)) +
                   torch::nn::KLDivLoss(torch::nn::KLDivLossOptions(torch::kSum))(
                       log, torch::relu(target - 0.3));
  sum.backward();
  std::cout << sum.item<float>() << logits.grad().cpu() << "\n";
}
