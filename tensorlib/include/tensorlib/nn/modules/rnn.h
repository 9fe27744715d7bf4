// Recurrent layers: RNN, LSTM and GRU over whole sequences, and one step of each as a cell.
//
// Sequences are [time, batch, features], or [batch, time, features] with batch_first, in and out;
// states are [num_layers * directions, batch, hidden_size] either way, and zeros where none is
// given. The input's products with the weights are one product of all steps; then it is one step
// after the other. Packed sequences are not here.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "tensorlib/nn/init.h"
#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

#define TENSORLIB_RECURRENT_OPTIONS(Name)                       \
  Name(int64_t input_size, int64_t hidden_size)                 \
      : input_size_(input_size), hidden_size_(hidden_size) {}   \
  TENSORLIB_OPTION(int64_t, input_size);                        \
  TENSORLIB_OPTION(int64_t, hidden_size);                       \
  TENSORLIB_OPTION(int64_t, num_layers) = 1;                    \
  TENSORLIB_OPTION(bool, bias) = true;                          \
  TENSORLIB_OPTION(bool, batch_first) = false;                  \
  /* Of every layer's output but the last one's, in training */ \
  TENSORLIB_OPTION(double, dropout) = 0;                        \
  TENSORLIB_OPTION(bool, bidirectional) = false

namespace detail {
struct RNNOptionsBase {
  TENSORLIB_RECURRENT_OPTIONS(RNNOptionsBase);
  TENSORLIB_OPTION(int64_t, proj_size) = 0;
};
}  // namespace detail

struct RNNOptions {
  TENSORLIB_RECURRENT_OPTIONS(RNNOptions);
  // torch::kTanh or torch::kReLU.
  TENSORLIB_OPTION(init::Nonlinearity, nonlinearity) = kTanh;
};
struct LSTMOptions {
  TENSORLIB_RECURRENT_OPTIONS(LSTMOptions);
  // The size of the outputs where it is not hidden_size; 0: it is.
  TENSORLIB_OPTION(int64_t, proj_size) = 0;
};
struct GRUOptions {
  TENSORLIB_RECURRENT_OPTIONS(GRUOptions);
};
#undef TENSORLIB_RECURRENT_OPTIONS

// The base of the layers over sequences. The parameters of layer 0 are weight_ih_l0, weight_hh_l0,
// bias_ih_l0, bias_hh_l0 (and weight_hr_l0 with proj_size), those of its way back have "_reverse"
// behind that.
class TENSORLIB_API RNNImplBase : public Module {
 public:
  // The parameters in the order of their making.
  std::vector<Tensor> all_weights() const { return parameters(false); }
  // Does nothing: for programs that are ported.
  void flatten_parameters() {}
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  detail::RNNOptionsBase options_base;

 protected:
  enum class Cell { tanh, relu, lstm, gru };
  RNNImplBase(Cell cell, const char* name, const detail::RNNOptionsBase& options);
  // To be called by the subclass's constructor: errors name parameters after the class that is
  // being made.
  void make_tensors();

  struct Result {
    Tensor output, hidden, state;  // the third is the LSTM's
  };
  Result run(const Tensor& input, const Tensor& hidden, const Tensor& state, CallSite site) const;

 private:
  void check(const Tensor& input, const Tensor& weight, const Tensor& hidden, const Tensor& state,
             CallSite site) const;

  Cell cell_;
  const char* layer_name_;  // "LSTM"
};

class TENSORLIB_API RNNImpl : public RNNImplBase {
 public:
  RNNImpl(int64_t input_size, int64_t hidden_size) : RNNImpl(RNNOptions(input_size, hidden_size)) {}
  explicit RNNImpl(const RNNOptions& options);
  // The outputs of all steps, and the last state.
  std::tuple<Tensor, Tensor> forward(const Tensor& input,
                                     CallSite site = CallSite::current()) const {
    return forward(input, Tensor(), site);
  }
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& hx,
                                     CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;

  RNNOptions options;
};
TENSORLIB_MODULE(RNN);

class TENSORLIB_API LSTMImpl : public RNNImplBase {
 public:
  using State = std::tuple<Tensor, Tensor>;  // hidden and cell

  LSTMImpl(int64_t input_size, int64_t hidden_size)
      : LSTMImpl(LSTMOptions(input_size, hidden_size)) {}
  explicit LSTMImpl(const LSTMOptions& options);
  // The outputs of all steps, and the last states.
  std::tuple<Tensor, State> forward(const Tensor& input,
                                    CallSite site = CallSite::current()) const {
    return forward(input, std::nullopt, site);
  }
  std::tuple<Tensor, State> forward(const Tensor& input, const std::optional<State>& hx_opt,
                                    CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;

  LSTMOptions options;
};
TENSORLIB_MODULE(LSTM);

class TENSORLIB_API GRUImpl : public RNNImplBase {
 public:
  GRUImpl(int64_t input_size, int64_t hidden_size) : GRUImpl(GRUOptions(input_size, hidden_size)) {}
  explicit GRUImpl(const GRUOptions& options);
  std::tuple<Tensor, Tensor> forward(const Tensor& input,
                                     CallSite site = CallSite::current()) const {
    return forward(input, Tensor(), site);
  }
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& hx,
                                     CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;

  GRUOptions options;
};
TENSORLIB_MODULE(GRU);

#define TENSORLIB_CELL_OPTIONS(Name)                          \
  Name(int64_t input_size, int64_t hidden_size)               \
      : input_size_(input_size), hidden_size_(hidden_size) {} \
  TENSORLIB_OPTION(int64_t, input_size);                      \
  TENSORLIB_OPTION(int64_t, hidden_size);                     \
  TENSORLIB_OPTION(bool, bias) = true
struct RNNCellOptions {
  TENSORLIB_CELL_OPTIONS(RNNCellOptions);
  TENSORLIB_OPTION(init::Nonlinearity, nonlinearity) = kTanh;
};
struct LSTMCellOptions {
  TENSORLIB_CELL_OPTIONS(LSTMCellOptions);
};
struct GRUCellOptions {
  TENSORLIB_CELL_OPTIONS(GRUCellOptions);
};
#undef TENSORLIB_CELL_OPTIONS

// One step: [batch, input_size] in, states are [batch, hidden_size].
class TENSORLIB_API RNNCellImplBase : public Module {
 public:
  void reset_parameters();

  Tensor weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  void make_tensors(int64_t gates, int64_t input_size, int64_t hidden_size, bool bias);
  // The state, or zeros where there is none.
  Tensor checked(const Tensor& input, const Tensor& hx, const char* name, CallSite site) const;
};

class TENSORLIB_API RNNCellImpl : public RNNCellImplBase {
 public:
  RNNCellImpl(int64_t input_size, int64_t hidden_size)
      : RNNCellImpl(RNNCellOptions(input_size, hidden_size)) {}
  explicit RNNCellImpl(const RNNCellOptions& options);
  Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const {
    return forward(input, Tensor(), site);
  }
  Tensor forward(const Tensor& input, const Tensor& hx, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  RNNCellOptions options;
};
TENSORLIB_MODULE(RNNCell);

class TENSORLIB_API LSTMCellImpl : public RNNCellImplBase {
 public:
  using State = std::tuple<Tensor, Tensor>;

  LSTMCellImpl(int64_t input_size, int64_t hidden_size)
      : LSTMCellImpl(LSTMCellOptions(input_size, hidden_size)) {}
  explicit LSTMCellImpl(const LSTMCellOptions& options);
  State forward(const Tensor& input, CallSite site = CallSite::current()) const {
    return forward(input, std::nullopt, site);
  }
  State forward(const Tensor& input, const std::optional<State>& hx_opt,
                CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  LSTMCellOptions options;
};
TENSORLIB_MODULE(LSTMCell);

class TENSORLIB_API GRUCellImpl : public RNNCellImplBase {
 public:
  GRUCellImpl(int64_t input_size, int64_t hidden_size)
      : GRUCellImpl(GRUCellOptions(input_size, hidden_size)) {}
  explicit GRUCellImpl(const GRUCellOptions& options);
  Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const {
    return forward(input, Tensor(), site);
  }
  Tensor forward(const Tensor& input, const Tensor& hx, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  GRUCellOptions options;
};
TENSORLIB_MODULE(GRUCell);

}  // namespace tensorlib::nn
