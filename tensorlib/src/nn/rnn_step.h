// One step of each recurrent layer, from its gates: the products of the input and of the state with
// the weights, [batch, gates * hidden_size] each, in LibTorch's order of the gates.
#pragma once

#include "tensorlib/ops.h"

namespace tensorlib::nn {

struct StepResult {
  Tensor hidden, state;
};

inline StepResult lstm_step(const Tensor& of_input, const Tensor& of_hidden, const Tensor& state,
                            CallSite site) {
  const std::vector<Tensor> gates = of_input.add(of_hidden, 1, site).chunk(4, 1, site);
  const Tensor kept = gates[1].sigmoid(site).mul(state, site);
  const Tensor next = gates[0].sigmoid(site).mul(gates[2].tanh(site), site).add(kept, 1, site);
  return {gates[3].sigmoid(site).mul(next.tanh(site), site), next};
}

inline Tensor gru_step(const Tensor& of_input, const Tensor& of_hidden, const Tensor& hidden,
                       CallSite site) {
  const std::vector<Tensor> x = of_input.chunk(3, 1, site), h = of_hidden.chunk(3, 1, site);
  const Tensor reset = x[0].add(h[0], 1, site).sigmoid(site);
  const Tensor update = x[1].add(h[1], 1, site).sigmoid(site);
  const Tensor fresh = x[2].add(reset.mul(h[2], site), 1, site).tanh(site);
  return fresh.add(update.mul(hidden.sub(fresh, 1, site), site), 1, site);
}

inline Tensor rnn_step(const Tensor& of_input, const Tensor& of_hidden, bool relu, CallSite site) {
  const Tensor sum = of_input.add(of_hidden, 1, site);
  return relu ? sum.relu(site) : sum.tanh(site);
}

}  // namespace tensorlib::nn
