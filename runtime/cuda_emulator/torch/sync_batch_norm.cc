// The operators of batch normalization over several devices, which PyTorch has for CUDA alone.

#include "torch/own_kernels.h"

namespace xfer::emulated_torch {
namespace {

using at::Tensor;

/// All dimensions but the channels'.
std::vector<std::int64_t> reduced(const Tensor& input) {
  std::vector<std::int64_t> dimensions = {0};
  for (std::int64_t i = 2; i < input.dim(); ++i) dimensions.push_back(i);
  return dimensions;
}

/// A number for each channel, laid beside the input.
Tensor beside(const Tensor& input, const Tensor& channels) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(input.dim()), 1);
  shape[1] = channels.numel();
  return channels.to(at::promote_types(channels.scalar_type(), at::kFloat)).view(shape);
}

Tensor wide(const Tensor& input) {
  return input.to(at::promote_types(input.scalar_type(), at::kFloat));
}

/// input, eps: mean, inverse deviation
void batch_stats(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor input = wide(of[0]);
  const Tensor variance = input.var(reduced(input), /*unbiased=*/false);
  set_results(stack, {input.mean(reduced(input)), (variance + (*stack)[1].toDouble()).rsqrt()});
}

/// input, means, inverse deviations [ranks, channels], running_mean?, running_var?, momentum, eps,
/// counts: mean, inverse deviation
void gather_batch_stats(c10::Stack* stack) {
  const Arguments of(*stack);
  const double momentum = (*stack)[5].toDouble();
  const double epsilon = (*stack)[6].toDouble();
  const Tensor counts = of[7].to(of[1].scalar_type()).view({-1, 1});
  const Tensor all = counts.sum();
  const Tensor mean = (of[1] * counts).sum(0) / all;
  const Tensor variances = of[2].pow(-2) - epsilon + (of[1] - mean).square();
  const Tensor variance = (variances * counts).sum(0) / all;
  const auto update = [&](const Tensor& running, const Tensor& value) {
    if (running.defined()) running.mul_(1 - momentum).add_(value, momentum);
  };
  update(of[3], mean);
  update(of[4], variance * all / (all - 1));
  set_results(stack, {mean, (variance + epsilon).rsqrt()});
}

/// input, weight?, bias?, mean, inverse deviation, eps: output
void batch_elements(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor input = of[0];
  Tensor output = (wide(input) - beside(input, of[3])) * beside(input, of[4]);
  if (of[1].defined()) output = output * beside(input, of[1]);
  if (of[2].defined()) output = output + beside(input, of[2]);
  set_results(stack, {output.to(input.scalar_type())});
}

/// grad_output, input, mean, inverse deviation, weight?, three times whether it is asked for:
/// sum_dy, sum_dy_xmu, grad_weight, grad_bias
void batch_backward_reduce(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor grad = wide(of[0]);
  const Tensor sum = grad.sum(reduced(grad));
  const Tensor sum_of_distances = (grad * (wide(of[1]) - beside(of[1], of[2]))).sum(reduced(grad));
  const auto type = of[4].defined() ? of[4].scalar_type() : sum.scalar_type();
  const auto if_asked = [&](std::size_t which, const Tensor& result) {
    return (*stack)[which].toBool() ? result : Tensor();
  };
  set_results(stack, {if_asked(5, sum), if_asked(5, sum_of_distances),
                      if_asked(6, (sum_of_distances * of[3]).to(type)), if_asked(7, sum.to(type))});
}

/// grad_output, input, mean, inverse deviation, weight?, sum_dy, sum_dy_xmu, counts: grad_input
void batch_backward(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor input = of[1];
  const Tensor all = of[7].sum().to(of[5].scalar_type());
  const Tensor distance = wide(input) - beside(input, of[2]);
  const Tensor slope = of[3].square() * of[6] / all;
  Tensor grad = (wide(of[0]) - beside(input, of[5] / all) - distance * beside(input, slope)) *
                beside(input, of[3]);
  if (of[4].defined()) grad = grad * beside(input, of[4]);
  set_results(stack, {grad.to(input.scalar_type())});
}

}  // namespace

OwnKernel sync_batch_norm(std::string_view name) {
  if (name == "aten::batch_norm_stats") return batch_stats;
  if (name == "aten::batch_norm_gather_stats_with_counts") return gather_batch_stats;
  if (name == "aten::batch_norm_elemt") return batch_elements;
  if (name == "aten::batch_norm_backward_reduce") return batch_backward_reduce;
  if (name == "aten::batch_norm_backward_elemt") return batch_backward;
  return {};
}

}  // namespace xfer::emulated_torch
