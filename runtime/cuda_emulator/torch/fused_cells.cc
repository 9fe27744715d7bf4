// The cells of recurrent networks that PyTorch has as one kernel for CUDA alone.

#include "torch/own_kernels.h"

namespace xfer::emulated_torch {
namespace {

using at::Tensor;

Tensor or_zeros(const Tensor& tensor, const Tensor& like) {
  return tensor.defined() ? tensor : at::zeros_like(like);
}

/// input_gates, hidden_gates [batch, 4 x hidden], cx, input_bias?, hidden_bias?: hy, cy, workspace
void lstm(c10::Stack* stack) {
  const Arguments of(*stack);
  Tensor gates = of[0] + of[1];
  for (const std::size_t bias : {3U, 4U})
    if (of[bias].defined()) gates = gates + of[bias];
  const std::vector<Tensor> part = gates.chunk(4, 1);
  const Tensor in = part[0].sigmoid();
  const Tensor forget = part[1].sigmoid();
  const Tensor cell = part[2].tanh();
  const Tensor out = part[3].sigmoid();
  const Tensor cy = forget * of[2] + in * cell;
  set_results(stack, {out * cy.tanh(), cy, at::cat({in, forget, cell, out}, 1)});
}

/// grad_hy?, grad_cy?, cx, cy, workspace, has_bias: grad_gates, grad_cx, grad_bias
void lstm_backward(c10::Stack* stack) {
  const Arguments of(*stack);
  const bool has_bias = (*stack)[5].toBool();
  const Tensor cx = of[2];
  const std::vector<Tensor> gate = of[4].chunk(4, 1);
  const Tensor grad_hy = or_zeros(of[0], of[3]);
  const Tensor squashed = of[3].tanh();
  const Tensor grad_cell = grad_hy * gate[3] * (1 - squashed * squashed) + or_zeros(of[1], of[3]);
  const auto sigmoid_grad = [](const Tensor& its) { return its * (1 - its); };
  const Tensor grad_gates = at::cat(
      {grad_cell * gate[2] * sigmoid_grad(gate[0]), grad_cell * cx * sigmoid_grad(gate[1]),
       grad_cell * gate[0] * (1 - gate[2] * gate[2]), grad_hy * squashed * sigmoid_grad(gate[3])},
      1);
  set_results(stack, {grad_gates, grad_cell * gate[1], has_bias ? grad_gates.sum(0) : Tensor()});
}

/// input_gates, hidden_gates [batch, 3 x hidden], hx, input_bias?, hidden_bias?: hy, workspace
void gru(c10::Stack* stack) {
  const Arguments of(*stack);
  const auto with_bias = [](const Tensor& gates, const Tensor& bias) {
    return (bias.defined() ? gates + bias : gates).chunk(3, 1);
  };
  const std::vector<Tensor> input = with_bias(of[0], of[3]);
  const std::vector<Tensor> hidden = with_bias(of[1], of[4]);
  const Tensor hx = of[2];
  const Tensor reset = (input[0] + hidden[0]).sigmoid();
  const Tensor update = (input[1] + hidden[1]).sigmoid();
  const Tensor fresh = (input[2] + reset * hidden[2]).tanh();
  set_results(stack,
              {fresh + update * (hx - fresh), at::cat({reset, update, fresh, hx, hidden[2]}, 1)});
}

/// grad_hy, workspace, has_bias: grad_input_gates, grad_hidden_gates, grad_hx, grad_input_bias,
/// grad_hidden_bias
void gru_backward(c10::Stack* stack) {
  const Arguments of(*stack);
  const bool has_bias = (*stack)[2].toBool();
  const Tensor grad = of[0];
  const std::vector<Tensor> kept = of[1].chunk(5, 1);
  const Tensor& reset = kept[0];
  const Tensor& update = kept[1];
  const Tensor& fresh = kept[2];
  const Tensor grad_fresh = grad * (1 - update) * (1 - fresh * fresh);
  const Tensor grad_update = grad * (kept[3] - fresh) * (1 - update) * update;
  const Tensor grad_reset = grad_fresh * kept[4] * (1 - reset) * reset;
  const Tensor input = at::cat({grad_reset, grad_update, grad_fresh}, 1);
  const Tensor hidden = at::cat({grad_reset, grad_update, grad_fresh * reset}, 1);
  set_results(stack, {input, hidden, grad * update, has_bias ? input.sum(0) : Tensor(),
                      has_bias ? hidden.sum(0) : Tensor()});
}

}  // namespace

OwnKernel fused_cell(std::string_view name) {
  if (name == "aten::_thnn_fused_lstm_cell") return lstm;
  if (name == "aten::_thnn_fused_lstm_cell_backward_impl") return lstm_backward;
  if (name == "aten::_thnn_fused_gru_cell") return gru;
  if (name == "aten::_thnn_fused_gru_cell_backward") return gru_backward;
  return {};
}

}  // namespace xfer::emulated_torch
