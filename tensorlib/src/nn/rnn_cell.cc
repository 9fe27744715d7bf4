// RNNCell, LSTMCell and GRUCell: one step, with its weights.
#include <cmath>
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "nn/rnn_step.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

void RNNCellImplBase::make_tensors(int64_t gates, int64_t input_size, int64_t hidden_size,
                                   bool bias) {
  weight_ih = register_parameter("weight_ih", make({gates * hidden_size, input_size}));
  weight_hh = register_parameter("weight_hh", make({gates * hidden_size, hidden_size}));
  if (bias) {
    bias_ih = register_parameter("bias_ih", make({gates * hidden_size}));
    bias_hh = register_parameter("bias_hh", make({gates * hidden_size}));
  }
  reset_parameters();
}

void RNNCellImplBase::reset_parameters() {
  NoGradGuard no_grad;
  const double most = 1 / std::sqrt(static_cast<double>(weight_hh.size(1)));
  for (const Tensor& weight : parameters(false)) weight.uniform_(-most, most);
}

Tensor RNNCellImplBase::checked(const Tensor& input, const Tensor& hx, const char* name,
                                CallSite site) const {
  require_defined(input, "input", name, site);
  check_dim(name, site, {"input", input}, 2);
  check_same_device(name, site, {{"input", input}, {"weight_ih", weight_ih}});
  const int64_t features = weight_hh.size(1);
  if (!hx.defined()) return zeros({input.size(0), features}, input.options(), site);
  check_same_device(name, site, {{"input", input}, {"hx", hx}});
  if (hx.sizes() != IntArrayRef({input.size(0), features})) {
    throw ShapeError(
        str_cat(name, ": hx is ", hx.sizes(), ", and not ", IntArrayRef({input.size(0), features})),
        site);
  }
  return hx;
}

namespace {

template <class Options>
void print(std::ostream& out, const char* name, const Options& options) {
  out << "tensorlib::nn::" << name << "(" << options.input_size() << ", " << options.hidden_size();
  if (!options.bias()) out << ", bias=false";
}

}  // namespace

RNNCellImpl::RNNCellImpl(const RNNCellOptions& options) : options(options) {
  make_tensors(1, options.input_size(), options.hidden_size(), options.bias());
}
Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& hx, CallSite site) const {
  const Tensor hidden = checked(input, hx, "RNNCell", site);
  return rnn_step(linear(input, weight_ih, bias_ih, site), linear(hidden, weight_hh, bias_hh, site),
                  options.nonlinearity() == kReLU, site);
}
void RNNCellImpl::pretty_print(std::ostream& out) const {
  print(out, "RNNCell", options);
  out << (options.nonlinearity() == kReLU ? ", nonlinearity=kReLU)" : ")");
}

LSTMCellImpl::LSTMCellImpl(const LSTMCellOptions& options) : options(options) {
  make_tensors(4, options.input_size(), options.hidden_size(), options.bias());
}
LSTMCellImpl::State LSTMCellImpl::forward(const Tensor& input, const std::optional<State>& hx_opt,
                                          CallSite site) const {
  const State given = hx_opt.value_or(State());
  const Tensor hidden = checked(input, std::get<0>(given), "LSTMCell", site);
  const Tensor state = checked(input, std::get<1>(given), "LSTMCell", site);
  const StepResult next = lstm_step(linear(input, weight_ih, bias_ih, site),
                                    linear(hidden, weight_hh, bias_hh, site), state, site);
  return {next.hidden, next.state};
}
void LSTMCellImpl::pretty_print(std::ostream& out) const {
  print(out, "LSTMCell", options);
  out << ")";
}

GRUCellImpl::GRUCellImpl(const GRUCellOptions& options) : options(options) {
  make_tensors(3, options.input_size(), options.hidden_size(), options.bias());
}
Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& hx, CallSite site) const {
  const Tensor hidden = checked(input, hx, "GRUCell", site);
  return gru_step(linear(input, weight_ih, bias_ih, site), linear(hidden, weight_hh, bias_hh, site),
                  hidden, site);
}
void GRUCellImpl::pretty_print(std::ostream& out) const {
  print(out, "GRUCell", options);
  out << ")";
}

}  // namespace tensorlib::nn
