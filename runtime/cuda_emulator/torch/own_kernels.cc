#include "torch/own_kernels.h"

#include <numeric>

namespace xfer::emulated_torch {
namespace {

using at::Tensor;

/// grad_output, self, buffer, which is empty on CUDA
void log_sigmoid_backward(c10::Stack* stack) {
  const Arguments of(*stack);
  set_results(stack, {of[0] * (-of[1]).sigmoid()});
}

/// The same, and grad_input
void log_sigmoid_backward_into(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor out = of[3];
  out.copy_(of[0] * (-of[1]).sigmoid());
  set_results(stack, {out});
}

/// grad_out, input, normalized_shape, rstd, weight?, output_mask: grad_input, grad_weight
void rms_norm_backward(c10::Stack* stack) {
  const Arguments of(*stack);
  const std::size_t normalized = (*stack)[2].toListRef().size();
  std::vector<std::int64_t> inner(normalized);
  std::iota(inner.begin(), inner.end(), of[1].dim() - static_cast<std::int64_t>(normalized));
  std::vector<std::int64_t> outer(static_cast<std::size_t>(of[1].dim()) - normalized);
  std::iota(outer.begin(), outer.end(), 0);
  const Tensor weight = of[4];
  const Tensor normal = of[1] * of[3];
  const Tensor grad = weight.defined() ? of[0] * weight : of[0];
  const Tensor grad_input = of[3] * (grad - normal * (grad * normal).mean(inner, /*keepdim=*/true));
  Tensor grad_weight;
  if (weight.defined()) grad_weight = outer.empty() ? of[0] * normal : (of[0] * normal).sum(outer);
  set_results(stack, {grad_input, grad_weight});
}

/// self, dim, half_to_float: of half the CPU makes no float by itself.
template <class Softmax>
OwnKernel softmax(Softmax compute) {
  return [compute](c10::Stack* stack) {
    const Arguments of(*stack);
    const bool widens = (*stack)[2].toBool();
    const Tensor self = widens ? of[0].to(at::kFloat) : of[0];
    set_results(stack, {compute(self, (*stack)[1].toInt())});
  };
}

/// grad_output, output, dim, input_dtype: half where the output was made float.
template <class Backward>
OwnKernel softmax_backward(Backward compute) {
  return [compute](c10::Stack* stack) {
    const Arguments of(*stack);
    const at::ScalarType wanted = (*stack)[3].toScalarType();
    set_results(stack,
                {compute(of[0], of[1], (*stack)[2].toInt(), of[0].scalar_type()).to(wanted)});
  };
}

/// input, weight?, bias?, running_mean, running_var, training, momentum, eps: output, and the mean
/// and the inverse deviation, of which the one for the CPU tells nothing where it does not train.
template <class Normalize>
OwnKernel batch_norm(Normalize normalize) {
  return [normalize](c10::Stack* stack) {
    const Arguments of(*stack);
    const double epsilon = (*stack)[7].toDouble();
    auto [output, mean, deviation] =
        normalize(of, (*stack)[5].toBool(), (*stack)[6].toDouble(), epsilon);
    if (mean.numel() == 0 && of[3].defined() && of[4].defined()) {
      mean = of[3];
      deviation = (of[4] + epsilon).rsqrt();
    }
    set_results(stack, {output, mean, deviation});
  };
}

/// weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights?,
/// include_last_offset, padding_idx: output, offset2bag, bag_size, max_indices
void embedding_bag(c10::Stack* stack) {
  const Arguments of(*stack);
  const Tensor indices = of[1];
  const Tensor offsets = of[2].to(at::kLong);
  const std::int64_t mode = (*stack)[4].toInt();
  const bool has_end = (*stack)[7].toBool();
  const std::int64_t padding = (*stack)[8].toInt();
  auto [output, ignored_bags, ignored_sizes, max_indices] =
      at::_embedding_bag(of[0], indices, of[2], (*stack)[3].toBool(), mode, (*stack)[5].toBool(),
                         of[6], has_end, padding);
  const std::int64_t bags = offsets.size(0) - (has_end ? 1 : 0);
  const Tensor begins = offsets.slice(0, 0, bags);
  const Tensor bag_of = at::searchsorted(begins, at::arange(indices.size(0), offsets.options()),
                                         /*out_int32=*/false, /*right=*/true) -
                        1;
  const Tensor counted = padding >= 0 ? indices.ne(padding).to(at::kLong)
                                      : at::ones({indices.size(0)}, offsets.options());
  const Tensor sizes = at::zeros({bags}, offsets.options()).index_add(0, bag_of, counted);
  set_results(stack, {output, bag_of.to(indices.dtype()), sizes.to(indices.dtype()), max_indices});
}

}  // namespace

OwnKernel own_kernel(std::string_view name) {
  if (name == "aten::log_sigmoid_backward") return log_sigmoid_backward;
  if (name == "aten::log_sigmoid_backward.grad_input") return log_sigmoid_backward_into;
  if (name == "aten::_fused_rms_norm_backward") return rms_norm_backward;
  if (name == "aten::_embedding_bag") return embedding_bag;
  if (name == "aten::_softmax")
    return softmax([](const Tensor& x, std::int64_t dim) { return at::_softmax(x, dim, false); });
  if (name == "aten::_log_softmax")
    return softmax(
        [](const Tensor& x, std::int64_t dim) { return at::_log_softmax(x, dim, false); });
  if (name == "aten::_softmax_backward_data")
    return softmax_backward(
        [](const Tensor& grad, const Tensor& output, std::int64_t dim, at::ScalarType type) {
          return at::_softmax_backward_data(grad, output, dim, type);
        });
  if (name == "aten::_log_softmax_backward_data")
    return softmax_backward(
        [](const Tensor& grad, const Tensor& output, std::int64_t dim, at::ScalarType type) {
          return at::_log_softmax_backward_data(grad, output, dim, type);
        });
  if (name == "aten::native_batch_norm")
    return batch_norm([](const Arguments& of, bool trains, double momentum, double epsilon) {
      return at::native_batch_norm(of[0], of[1], of[2], of[3], of[4], trains, momentum, epsilon);
    });
  if (name == "aten::_native_batch_norm_legit")
    return batch_norm([](const Arguments& of, bool trains, double momentum, double epsilon) {
      Tensor mean = of[3];
      Tensor variance = of[4];
      return at::_native_batch_norm_legit(of[0], of[1], of[2], mean, variance, trains, momentum,
                                          epsilon);
    });
  if (OwnKernel cell = fused_cell(name)) return cell;
  if (OwnKernel part = sync_batch_norm(name)) return part;
  return fused_attention(name);
}

}  // namespace xfer::emulated_torch
