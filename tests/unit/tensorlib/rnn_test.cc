// Recurrent layers: against their cells step by step, which are held to the formulas; gradients
// against finite differences.
#include <cmath>

#include "unit/tensorlib/support.h"
#include "unit/tensorlib/waves.h"

namespace tensorlib::testing {
namespace {

using Sizes = std::vector<int64_t>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// weight . x + weight . h, with the biases, for row `row`; of the state's part alone in `h_part`.
struct Gates {
  Tensor of_input, of_hidden;
  double x(int64_t row) const { return of_input[0][row].item<double>(); }
  double h(int64_t row) const { return of_hidden[0][row].item<double>(); }
};
template <class Cell>
Gates gates_of(Cell& cell, const Tensor& x, const Tensor& h) {
  return {linear(x, cell->weight_ih, cell->bias_ih), linear(h, cell->weight_hh, cell->bias_hh)};
}

TEST(LSTMCell, MatchesTheFormula) {
  for (const Device device : devices()) {
    nn::LSTMCell cell(3, 2);
    set_up(cell, device);
    const Tensor x = wave({1, 3}, 0.4, device), h = wave({1, 2}, 0.9, device);
    const Tensor c = wave({1, 2}, 1.3, device);
    const Gates g = gates_of(cell, x, h);
    const auto [next_h, next_c] = cell(x, std::make_tuple(h, c));
    for (int64_t i = 0; i < 2; ++i) {
      const auto sum = [&](int64_t gate) { return g.x(gate * 2 + i) + g.h(gate * 2 + i); };
      const double state =
          logistic(sum(1)) * c[0][i].item<double>() + logistic(sum(0)) * std::tanh(sum(2));
      EXPECT_NEAR(next_c[0][i].item<double>(), state, 1e-12);
      EXPECT_NEAR(next_h[0][i].item<double>(), logistic(sum(3)) * std::tanh(state), 1e-12);
    }
    const auto [from_zeros, unused] = cell(x);
    EXPECT_EQ(elements(from_zeros),
              elements(std::get<0>(cell(x, std::make_tuple(zeros_like(h), zeros_like(c))))));
  }
}

TEST(GRUCell, MatchesTheFormula) {
  for (const Device device : devices()) {
    nn::GRUCell cell(3, 2);
    set_up(cell, device);
    const Tensor x = wave({1, 3}, 0.4, device), h = wave({1, 2}, 0.9, device);
    const Gates g = gates_of(cell, x, h);
    const Tensor next = cell(x, h);
    for (int64_t i = 0; i < 2; ++i) {
      const double reset = logistic(g.x(i) + g.h(i)), update = logistic(g.x(2 + i) + g.h(2 + i));
      const double fresh = std::tanh(g.x(4 + i) + reset * g.h(4 + i));
      EXPECT_NEAR(next[0][i].item<double>(), (1 - update) * fresh + update * h[0][i].item<double>(),
                  1e-12);
    }
  }
}

TEST(RNNCell, HasTwoKinds) {
  for (const Device device : devices()) {
    nn::RNNCell plain(3, 2), relu(nn::RNNCellOptions(3, 2).nonlinearity(kReLU));
    const Tensor x = wave({4, 3}, 0.4, device), h = wave({4, 2}, 0.9, device);
    for (auto* cell : {&plain, &relu}) set_up(*cell, device);
    const Gates g = gates_of(plain, x, h);
    EXPECT_TRUE(near(elements(plain(x, h)), elements((g.of_input + g.of_hidden).tanh()), 1e-12));
    EXPECT_TRUE(near(elements(relu(x, h)), elements((g.of_input + g.of_hidden).relu()), 1e-12));
  }
}

// Layer 0 of one direction gets the cell's weights by name.
template <class Layer, class Cell>
void copy_weights(Layer& layer, Cell& cell, const std::string& which) {
  NoGradGuard no_grad;
  const auto from = layer->named_parameters();
  for (auto& own : cell->named_parameters()) own.value().copy_(from[own.key() + which]);
}

TEST(LSTM, IsItsCellsInBothDirectionsAndTwoLayers) {
  for (const Device device : devices()) {
    for (const bool batch_first : {false, true}) {
      nn::LSTM layer(
          nn::LSTMOptions(3, 2).num_layers(2).bidirectional(true).batch_first(batch_first));
      set_up(layer, device);
      const Tensor input = wave({5, 4, 3}, 0.31, device);  // [time, batch, features]
      const Tensor h0 = wave({4, 4, 2}, 0.5, device), c0 = wave({4, 4, 2}, 0.8, device);
      const auto [output, last] =
          layer(batch_first ? input.transpose(0, 1) : input, std::make_tuple(h0, c0));
      const auto [hn, cn] = last;
      EXPECT_EQ(output.sizes(), batch_first ? Sizes({4, 5, 4}) : Sizes({5, 4, 4}));
      EXPECT_EQ(hn.sizes(), Sizes({4, 4, 2}));

      Tensor steps = input;
      for (int64_t i = 0; i < 4; i += 2) {
        std::vector<Tensor> both;
        for (int64_t way = 0; way < 2; ++way) {
          nn::LSTMCell cell(i == 0 ? 3 : 4, 2);
          cell->to(device, kDouble);
          copy_weights(layer, cell, "_l" + std::to_string(i / 2) + (way == 0 ? "" : "_reverse"));
          Tensor h = h0[i + way], c = c0[i + way];
          std::vector<Tensor> results(5);
          for (int64_t t = 0; t < 5; ++t) {
            const int64_t at = way == 0 ? t : 4 - t;
            std::tie(h, c) = cell(steps[at], std::make_tuple(h, c));
            results[static_cast<size_t>(at)] = h;
          }
          EXPECT_TRUE(near(elements(hn[i + way]), elements(h), 1e-12));
          EXPECT_TRUE(near(elements(cn[i + way]), elements(c), 1e-12));
          both.push_back(stack(results));
        }
        steps = cat(both, -1);
      }
      EXPECT_TRUE(
          near(elements(batch_first ? output.transpose(0, 1) : output), elements(steps), 1e-12));
    }
  }
}

TEST(GRU, IsItsCells) {
  for (const Device device : devices()) {
    nn::GRU layer(nn::GRUOptions(3, 2).bias(false));
    set_up(layer, device);
    nn::GRUCell cell(nn::GRUCellOptions(3, 2).bias(false));
    cell->to(device, kDouble);
    copy_weights(layer, cell, "_l0");
    const Tensor input = wave({4, 2, 3}, 0.31, device);
    const auto [output, last] = layer(input);
    Tensor h;
    for (int64_t t = 0; t < 4; ++t) {
      h = h.defined() ? cell(input[t], h) : cell(input[t]);
      EXPECT_TRUE(near(elements(output[t]), elements(h), 1e-12));
    }
    EXPECT_EQ(elements(last[0]), elements(output[3]));
  }
}

// Of the input, the states and every weight, where each result counts by another factor.
template <class Layer, class Run>
void expect_gradients(Layer& layer, std::vector<Tensor> given, const Run& run) {
  for (const Tensor& leaf : given) leaf.requires_grad_();
  const auto loss = [&] {
    Tensor sum;
    for (const Tensor& result : run(given)) {
      const Tensor factors =
          (arange(result.numel(), result.options().requires_grad(false)) * 0.37 + 0.5)
              .view(result.sizes());
      const Tensor one = (result * factors).sum();
      sum = sum.defined() ? sum + one : one;
    }
    return sum;
  };
  loss().backward();
  std::vector<Tensor> leaves = layer->parameters();
  leaves.insert(leaves.end(), given.begin(), given.end());
  for (const Tensor& leaf : leaves) {
    ASSERT_TRUE(leaf.grad().defined()) << leaf.sizes();
    const auto actual = elements(leaf.grad());
    NoGradGuard no_grad;
    const Tensor flat = leaf.view({-1});
    for (int64_t i = 0; i < flat.numel(); ++i) {
      const double value = flat[i].item<double>(), step = 1e-5;
      flat[i] = value + step;
      const double above = loss().template item<double>();
      flat[i] = value - step;
      const double below = loss().template item<double>();
      flat[i] = value;
      EXPECT_NEAR(actual[static_cast<size_t>(i)], (above - below) / (2 * step), 1e-6)
          << i << " of " << leaf.sizes();
    }
  }
}

TEST(LSTM, GradientsAreTheFiniteDifferences) {
  for (const Device device : devices()) {
    for (const int64_t proj_size : {0, 1}) {
      nn::LSTM layer(
          nn::LSTMOptions(2, 2).num_layers(2).bidirectional(true).batch_first(true).proj_size(
              proj_size));
      set_up(layer, device);
      const int64_t out = proj_size > 0 ? proj_size : 2;
      expect_gradients(layer,
                       {wave({2, 3, 2}, 0.4, device), wave({4, 2, out}, 0.6, device),
                        wave({4, 2, 2}, 0.9, device)},
                       [&](const std::vector<Tensor>& x) {
                         const auto [output, last] = layer(x[0], std::make_tuple(x[1], x[2]));
                         return std::vector<Tensor>{output, std::get<0>(last), std::get<1>(last)};
                       });
    }
  }
}

TEST(GRU, GradientsAreTheFiniteDifferences) {
  for (const Device device : devices()) {
    nn::GRU layer(nn::GRUOptions(2, 2).num_layers(2));
    set_up(layer, device);
    expect_gradients(layer, {wave({3, 2, 2}, 0.4, device), wave({2, 2, 2}, 0.6, device)},
                     [&](const std::vector<Tensor>& x) {
                       const auto [output, last] = layer(x[0], x[1]);
                       return std::vector<Tensor>{output, last};
                     });
  }
}

TEST(RNN, GradientsAreTheFiniteDifferences) {
  for (const Device device : devices()) {
    for (const auto kind : {kTanh, kReLU}) {
      nn::RNN layer(nn::RNNOptions(2, 3).bidirectional(true).nonlinearity(kind));
      set_up(layer, device);
      expect_gradients(layer, {wave({3, 2, 2}, 0.4, device)}, [&](const std::vector<Tensor>& x) {
        const auto [output, last] = layer(x[0]);
        return std::vector<Tensor>{output, last};
      });
    }
  }
}

TEST(LSTM, DropsOutBetweenLayersInTraining) {
  for (const Device device : devices()) {
    nn::LSTM layer(nn::LSTMOptions(2, 8).num_layers(2).dropout(1));
    set_up(layer, device);
    const Tensor input = wave({3, 1, 2}, 0.4, device), other = wave({3, 1, 2}, 0.9, device);
    EXPECT_EQ(elements(std::get<0>(layer(input))), elements(std::get<0>(layer(other))));
    layer->eval();
    EXPECT_NE(elements(std::get<0>(layer(input))), elements(std::get<0>(layer(other))));
  }
}

TEST(LSTM, NamesItsParametersAndItself) {
  nn::LSTM layer(nn::LSTMOptions(3, 4).num_layers(2).bidirectional(true));
  EXPECT_EQ(layer->named_parameters().keys()[2], "bias_ih_l0");
  EXPECT_EQ(layer->named_parameters().keys()[4], "weight_ih_l0_reverse");
  EXPECT_EQ(layer->named_parameters()["weight_ih_l1"].sizes(), Sizes({16, 8}));
  EXPECT_EQ(layer->all_weights().size(), 16);
  EXPECT_EQ(str(*layer),
            "tensorlib::nn::LSTM(input_size=3, hidden_size=4, num_layers=2, bias=true, "
            "batch_first=false, dropout=0, bidirectional=true)");
  const auto copy = std::dynamic_pointer_cast<nn::LSTMImpl>(layer->clone());
  const Tensor x = rand({2, 1, 3});
  EXPECT_EQ(elements(std::get<0>(copy->forward(x))), elements(std::get<0>(layer(x))));
}

TEST(LSTM, RefusesWhatDoesNotFit) {
  nn::LSTM layer(3, 4);
  const auto state = [](Sizes h, Sizes c) { return std::make_tuple(zeros(h), zeros(c)); };
  EXPECT_THROW((void)layer(ones({2, 3})), ShapeError);
  EXPECT_THROW((void)layer(ones({2, 1, 4})), ShapeError);
  EXPECT_THROW((void)layer(ones({0, 1, 3})), ShapeError);
  EXPECT_THROW((void)layer(ones({2, 1, 3}), state({1, 2, 4}, {1, 1, 4})), ShapeError);
  EXPECT_THROW((void)layer(ones({2, 1, 3}), state({1, 1, 4}, {2, 1, 4})), ShapeError);
  EXPECT_THROW((void)nn::GRUCell(3, 4)(ones({3})), ShapeError);
  EXPECT_THROW((void)nn::LSTM(nn::LSTMOptions(3, 4).proj_size(4)), Error);
  EXPECT_THROW((void)nn::LSTM(nn::LSTMOptions(3, 4).dropout(2)), Error);
}

TEST(LSTM, AMismatchNamesTheLine) {
  for (const Device device : cuda_devices()) {
    nn::LSTM layer(3, 4);
    layer->to(device);
    const Tensor x = ones({2, 1, 3});
    const auto h = zeros({1, 1, 4}, device);
    const int line = __LINE__ + 1;
    const std::string one = error_of([&] { (void)layer(x); });
    EXPECT_NE(one.find("rnn_test.cc:" + std::to_string(line)), std::string::npos) << one;
    EXPECT_NE(one.find("weight_ih_l0"), std::string::npos) << one;
    const std::string two =
        error_of([&] { (void)layer(x.to(device), std::make_tuple(h, h.cpu())); });
    EXPECT_NE(two.find("rnn_test.cc:" + std::to_string(line + 4)), std::string::npos) << two;
    EXPECT_NE(two.find("cx"), std::string::npos) << two;
  }
}

}  // namespace
}  // namespace tensorlib::testing
