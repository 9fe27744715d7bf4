// The losses: cases for operations.cc, which says what a case is.
#pragma once

#include <torch/torch.h>

#include <vector>

// `add` takes a case's name, shapes, function and whether it is of floating types alone.
template <class Add>
void add_losses(const Add& add, const torch::Device& place) {
  using torch::Tensor;
  using Tensors = std::vector<Tensor>;
  using X = const Tensors&;
  add(
      "mse_loss", {{4, 3}, {4, 3}},
      [](X x) { return Tensors{torch::mse_loss(x[0], x[1]), torch::l1_loss(x[0], x[1])}; }, true);
  add(
      "nll_loss", {{4, 3}},
      [=](X x) {
        const Tensor target = torch::tensor({2, 0, 1, 2}).to(place);
        return Tensors{torch::nll_loss(x[0].log_softmax(1), target),
                       torch::cross_entropy_loss(x[0], target)};
      },
      true);
  namespace F = torch::nn::functional;
  const auto pixels = [&place] {
    return torch::tensor({2, 0, 1, 2, 0, 0, 1, 1}).view({2, 2, 2}).to(place);
  };
  add(
      "nll_loss of pixels", {{2, 3, 2, 2}, {3}},
      [=](X x) {
        return Tensors{F::nll_loss(x[0].log_softmax(1), pixels(),
                                   F::NLLLossFuncOptions().weight(x[1].abs() + 1))};
      },
      true);
  add(
      "cross_entropy of pixels", {{2, 3, 2, 2}},
      [=](X x) { return Tensors{F::cross_entropy(x[0], pixels())}; }, true);
  add(
      "cross_entropy smoothed", {{2, 3, 2, 2}},
      [=](X x) {
        return Tensors{F::cross_entropy(
            x[0], pixels(),
            F::CrossEntropyFuncOptions().label_smoothing(0.1).reduction(torch::kSum))};
      },
      true);
  add(
      "cross_entropy of a row", {{4}},
      [=](X x) { return Tensors{F::cross_entropy(x[0], torch::tensor(2).to(place))}; }, true);
  add(
      "cross_entropy of probabilities", {{2, 3}, {2, 3}},
      [](X x) {
        return Tensors{F::cross_entropy(x[0], x[1].softmax(1)),
                       F::cross_entropy(x[0], x[1].softmax(1),
                                        F::CrossEntropyFuncOptions().label_smoothing(0.2))};
      },
      true);
  // By the mean, the sum, and each element's own.
  const auto each = [](const auto& loss) {
    return Tensors{loss(torch::Reduction::Mean), loss(torch::Reduction::Sum),
                   loss(torch::Reduction::None)};
  };
  add(
      "smooth_l1_loss", {{4, 3}, {4, 3}},
      [=](X x) {
        return each([&](int64_t by) { return torch::smooth_l1_loss(x[0], x[1], by, 0.5); });
      },
      true);
  add(
      "huber_loss", {{4, 3}, {4, 3}},
      [=](X x) { return each([&](int64_t by) { return torch::huber_loss(x[0], x[1], by, 0.5); }); },
      true);
  add(
      "kl_div", {{4, 3}, {4, 3}},
      [=](X x) {
        const Tensor logarithms = x[0].log_softmax(1);
        return each([&](int64_t by) {
          return torch::kl_div(logarithms, x[1].softmax(1), by) +
                 torch::kl_div(logarithms, x[1].log_softmax(1), by, true);
        });
      },
      true);
  add(
      "binary_cross_entropy", {{4, 3}, {4, 3}, {3}},
      [=](X x) {
        const Tensor target = x[1].gt(0).to(x[0].scalar_type()), weight = x[2].abs() + 1;
        return each([&](int64_t by) {
          return torch::binary_cross_entropy(x[0].sigmoid(), target, weight, by);
        });
      },
      true);
  add(
      "binary_cross_entropy_with_logits", {{4, 3}, {4, 3}, {3}},
      [=](X x) {
        const Tensor target = x[1].gt(0).to(x[0].scalar_type()), weight = x[2].abs() + 1;
        return each([&](int64_t by) {
          return torch::binary_cross_entropy_with_logits(x[0], target, {}, {}, by) +
                 torch::binary_cross_entropy_with_logits(x[0], target, weight, weight, by);
        });
      },
      true);
}
