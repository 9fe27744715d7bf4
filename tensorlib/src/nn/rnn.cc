// RNN, LSTM and GRU over sequences: layers and directions of steps.
#include <cmath>
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "nn/rnn_step.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

namespace {

template <class Options>
detail::RNNOptionsBase base_of(const Options& o, int64_t proj_size = 0) {
  return detail::RNNOptionsBase(o.input_size(), o.hidden_size())
      .num_layers(o.num_layers())
      .bias(o.bias())
      .batch_first(o.batch_first())
      .dropout(o.dropout())
      .bidirectional(o.bidirectional())
      .proj_size(proj_size);
}

int64_t outputs_of(const detail::RNNOptionsBase& o) {
  return o.proj_size() > 0 ? o.proj_size() : o.hidden_size();
}

}  // namespace

RNNImplBase::RNNImplBase(Cell cell, const char* name, const detail::RNNOptionsBase& options)
    : options_base(options), cell_(cell), layer_name_(name) {
  if (options.dropout() < 0 || options.dropout() > 1) {
    throw Error(str_cat(name, ": dropout is a probability, not ", options.dropout()),
                CallSite::none());
  }
  if (options.proj_size() < 0 || options.proj_size() >= options.hidden_size()) {
    throw Error(str_cat(name, ": proj_size ", options.proj_size(), " is not in [0, hidden_size)"),
                CallSite::none());
  }
}

void RNNImplBase::make_tensors() {
  const auto& o = options_base;
  const int64_t gates = cell_ == Cell::lstm ? 4 : cell_ == Cell::gru ? 3 : 1;
  const int64_t rows = gates * o.hidden_size();
  const int64_t outputs = outputs_of(o);
  for (int64_t layer = 0; layer < o.num_layers(); ++layer) {
    const int64_t inputs = layer == 0 ? o.input_size() : outputs * (o.bidirectional() ? 2 : 1);
    for (const char* way : {"", "_reverse"}) {
      if (*way != '\0' && !o.bidirectional()) continue;
      const std::string which = str_cat("_l", layer, way);
      register_parameter("weight_ih" + which, make({rows, inputs}));
      register_parameter("weight_hh" + which, make({rows, outputs}));
      if (o.bias()) {
        register_parameter("bias_ih" + which, make({rows}));
        register_parameter("bias_hh" + which, make({rows}));
      }
      if (o.proj_size() > 0) {
        register_parameter("weight_hr" + which, make({o.proj_size(), o.hidden_size()}));
      }
    }
  }
  reset_parameters();
}

void RNNImplBase::reset_parameters() {
  NoGradGuard no_grad;
  const double most = 1 / std::sqrt(static_cast<double>(options_base.hidden_size()));
  for (const Tensor& weight : parameters(false)) weight.uniform_(-most, most);
}

void RNNImplBase::pretty_print(std::ostream& out) const {
  const auto& o = options_base;
  out << "tensorlib::nn::" << layer_name_ << "(input_size=" << o.input_size()
      << ", hidden_size=" << o.hidden_size() << ", num_layers=" << o.num_layers()
      << ", bias=" << text(o.bias()) << ", batch_first=" << text(o.batch_first())
      << ", dropout=" << o.dropout() << ", bidirectional=" << text(o.bidirectional());
  if (o.proj_size() > 0) out << ", proj_size=" << o.proj_size();
  out << ")";
}

void RNNImplBase::check(const Tensor& input, const Tensor& weight, const Tensor& hidden,
                        const Tensor& state, CallSite site) const {
  const auto& o = options_base;
  require_defined(input, "input", layer_name_, site);
  check_dim(layer_name_, site, {"input", input}, 3);
  const auto refuse = [&](const char* which, const Tensor& given, IntArrayRef wanted) {
    throw ShapeError(str_cat(layer_name_, ": ", which, " is ", given.sizes(), ", and not ", wanted),
                     site);
  };
  const int64_t time = input.size(o.batch_first() ? 1 : 0);
  const int64_t batch = input.size(o.batch_first() ? 0 : 1);
  if (input.size(2) != o.input_size()) {
    refuse("the input", input, {input.size(0), input.size(1), o.input_size()});
  }
  if (time == 0) throw ShapeError(str_cat(layer_name_, ": the sequence has no steps"), site);
  const int64_t states = o.num_layers() * (o.bidirectional() ? 2 : 1);
  const int64_t outputs = outputs_of(o);
  check_same_device(layer_name_, site, {{"input", input}, {"weight_ih_l0", weight}});
  for (const auto& [name, given, features] :
       {std::make_tuple("hx", &hidden, outputs), std::make_tuple("cx", &state, o.hidden_size())}) {
    if (!given->defined()) continue;
    check_same_device(layer_name_, site, {{"input", input}, {name, *given}});
    if (given->sizes() != IntArrayRef({states, batch, features})) {
      refuse(name, *given, {states, batch, features});
    }
  }
}

RNNImplBase::Result RNNImplBase::run(const Tensor& input, const Tensor& hidden, const Tensor& state,
                                     CallSite site) const {
  const auto& o = options_base;
  const std::vector<Tensor> weights = parameters(false);
  check(input, weights[0], hidden, state, site);
  const size_t per_way = 2 + (o.bias() ? 2 : 0) + (o.proj_size() > 0 ? 1 : 0);
  const int64_t outputs = outputs_of(o);

  Tensor steps = o.batch_first() ? input.transpose(0, 1, site) : input;
  const int64_t batch = steps.size(1);
  const auto first = [&](const Tensor& given, size_t i, int64_t features) {
    return given.defined() ? given.select(0, static_cast<int64_t>(i), site)
                           : zeros({batch, features}, input.options().requires_grad(false), site);
  };
  std::vector<Tensor> last_hidden, last_state;
  for (int64_t layer = 0; layer < o.num_layers(); ++layer) {
    std::vector<Tensor> ways;
    for (int way = 0; way < (o.bidirectional() ? 2 : 1); ++way) {
      const size_t i = last_hidden.size();
      const Tensor* const w = &weights[i * per_way];
      const Tensor bias_ih = o.bias() ? w[2] : Tensor(), bias_hh = o.bias() ? w[3] : Tensor();
      const std::vector<Tensor> of_inputs = linear(steps, w[0], bias_ih, site).unbind(0, site);
      Tensor h = first(hidden, i, outputs);
      Tensor c = cell_ == Cell::lstm ? first(state, i, o.hidden_size()) : Tensor();
      std::vector<Tensor> results(of_inputs.size());
      for (size_t step = 0; step < results.size(); ++step) {
        const size_t t = way == 0 ? step : results.size() - 1 - step;
        const Tensor of_hidden = linear(h, w[1], bias_hh, site);
        if (cell_ == Cell::lstm) {
          const StepResult next = lstm_step(of_inputs[t], of_hidden, c, site);
          c = next.state;
          h = o.proj_size() > 0 ? linear(next.hidden, w[per_way - 1], {}, site) : next.hidden;
        } else if (cell_ == Cell::gru) {
          h = gru_step(of_inputs[t], of_hidden, h, site);
        } else {
          h = rnn_step(of_inputs[t], of_hidden, cell_ == Cell::relu, site);
        }
        results[t] = h;
      }
      ways.push_back(stack(results, 0, site));
      last_hidden.push_back(h);
      if (c.defined()) last_state.push_back(c);
    }
    steps = ways.size() == 1 ? ways[0] : cat(ways, -1, site);
    if (o.dropout() > 0 && layer + 1 < o.num_layers()) {
      steps = dropout(steps, o.dropout(), is_training(), site);
    }
  }
  return {o.batch_first() ? steps.transpose(0, 1, site) : steps, stack(last_hidden, 0, site),
          last_state.empty() ? Tensor() : stack(last_state, 0, site)};
}

RNNImpl::RNNImpl(const RNNOptions& options)
    : RNNImplBase(options.nonlinearity() == kReLU ? Cell::relu : Cell::tanh, "RNN",
                  base_of(options)),
      options(options) {
  make_tensors();
}
std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, const Tensor& hx,
                                            CallSite site) const {
  const Result result = run(input, hx, {}, site);
  return {result.output, result.hidden};
}

LSTMImpl::LSTMImpl(const LSTMOptions& options)
    : RNNImplBase(Cell::lstm, "LSTM", base_of(options, options.proj_size())), options(options) {
  make_tensors();
}
std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input,
                                                      const std::optional<State>& hx_opt,
                                                      CallSite site) const {
  const State given = hx_opt.value_or(State());
  const Result result = run(input, std::get<0>(given), std::get<1>(given), site);
  return {result.output, State(result.hidden, result.state)};
}

GRUImpl::GRUImpl(const GRUOptions& options)
    : RNNImplBase(Cell::gru, "GRU", base_of(options)), options(options) {
  make_tensors();
}
std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, const Tensor& hx,
                                            CallSite site) const {
  const Result result = run(input, hx, {}, site);
  return {result.output, result.hidden};
}

}  // namespace tensorlib::nn
