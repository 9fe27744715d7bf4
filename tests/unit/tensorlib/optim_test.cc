// Optimizers: a step by hand, and programs that train.
#include <cmath>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

Tensor parameter(Device device = kCPU) {
  const Tensor p = tensor({1.0, -2.0}, kDouble).to(device);
  p.requires_grad_();
  return p;
}

// The values of a parameter after each of some steps down sum(p^2) / 2, whose gradient is p.
template <class Optimizer>
std::vector<double> descend(Optimizer& optimizer, const Tensor& p, int steps) {
  for (int i = 0; i < steps; ++i) {
    optimizer.zero_grad();
    (p.square().sum() * 0.5).backward();
    optimizer.step();
  }
  return elements(p);
}

TEST(SGD, MatchesTheFormula) {
  for (const Device device : devices()) {
    const Tensor p = parameter(device);
    optim::SGD optimizer({p}, optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01));
    double x = 1, velocity = 0;
    for (int i = 0; i < 5; ++i) {
      const double direction = x + 0.01 * x;
      velocity = i == 0 ? direction : 0.9 * velocity + direction;
      x -= 0.1 * velocity;
    }
    EXPECT_TRUE(near(descend(optimizer, p, 5), {x, -2 * x}, 1e-12));
  }
}

TEST(Adam, MatchesTheFormula) {
  const Tensor p = parameter();
  optim::Adam optimizer({p}, optim::AdamOptions(0.1).betas({0.8, 0.95}));
  double x = 1, mean = 0, square = 0;
  for (int t = 1; t <= 4; ++t) {
    mean = 0.8 * mean + 0.2 * x;
    square = 0.95 * square + 0.05 * x * x;
    x -= 0.1 * (mean / (1 - std::pow(0.8, t))) /
         (std::sqrt(square / (1 - std::pow(0.95, t))) + 1e-8);
  }
  EXPECT_NEAR(descend(optimizer, p, 4)[0], x, 1e-12);
}

// On the host it is one pass over the memory, elsewhere and of other layouts it is made of
// operations.
TEST(Adam, IsTheSameOnEveryDeviceAndInEveryLayout) {
  const auto trained = [](const Tensor& start, bool amsgrad) {
    const Tensor p = start.detach().requires_grad_();
    optim::Adam optimizer({p}, optim::AdamOptions(0.1).amsgrad(amsgrad).weight_decay(0.01));
    for (int i = 0; i < 5; ++i) {
      optimizer.zero_grad();
      (p * p * p).sum().backward();
      optimizer.step();
    }
    return elements(p.detach());
  };
  for (const ScalarType type : {kFloat, kDouble}) {
    for (const bool amsgrad : {false, true}) {
      const auto start = [&] { return ((arange(35, kDouble) - 17.5) / 7).view({5, 7}).to(type); };
      const auto expected = trained(start(), amsgrad);
      EXPECT_TRUE(
          near(trained(start().t().contiguous().t(), amsgrad), expected, 4 * tolerance(type)));
      for (const Device& device : cuda_devices()) {
        EXPECT_TRUE(near(trained(start().to(device), amsgrad), expected, 4 * tolerance(type)));
      }
    }
  }
}

TEST(AdamW, DecaysTheWeightByItself) {
  const Tensor p = parameter();
  optim::AdamW optimizer({p}, optim::AdamWOptions(0.1).weight_decay(0.5));
  // The first step of Adam is the learning rate long, whatever the gradient.
  EXPECT_NEAR(descend(optimizer, p, 1)[0], 1 * (1 - 0.1 * 0.5) - 0.1, 1e-6);
}

TEST(RMSprop, MatchesTheFormula) {
  for (const Device device : devices()) {
    for (const bool centered : {false, true}) {
      for (const double momentum : {0.0, 0.5}) {
        const Tensor p = parameter(device);
        optim::RMSprop optimizer(
            {p},
            optim::RMSpropOptions(0.1).alpha(0.8).weight_decay(0.01).momentum(momentum).centered(
                centered));
        double x = 1, square = 0, mean = 0, velocity = 0;
        for (int i = 0; i < 4; ++i) {
          const double g = x + 0.01 * x;
          square = 0.8 * square + 0.2 * g * g;
          mean = 0.8 * mean + 0.2 * g;
          const double spread = centered ? square - mean * mean : square;
          velocity = momentum * velocity + g / (std::sqrt(spread) + 1e-8);
          x -= 0.1 * velocity;
        }
        EXPECT_NEAR(descend(optimizer, p, 4)[0], x, 1e-12) << centered << momentum << device;
      }
    }
  }
}

TEST(Adagrad, MatchesTheFormula) {
  for (const Device device : devices()) {
    const Tensor p = parameter(device);
    optim::Adagrad optimizer(
        {p},
        optim::AdagradOptions(0.1).lr_decay(0.2).weight_decay(0.01).initial_accumulator_value(0.5));
    double x = 1, sum = 0.5;
    for (int i = 0; i < 4; ++i) {
      const double g = x + 0.01 * x;
      sum += g * g;
      x -= 0.1 / (1 + 0.2 * i) * g / (std::sqrt(sum) + 1e-10);
    }
    EXPECT_NEAR(descend(optimizer, p, 4)[0], x, 1e-12) << device;
  }
}

TEST(Optimizer, HoldsParametersThatAreMovedAfterwards) {
  TENSORLIB_REQUIRE_CUDA();
  nn::Linear layer(3, 1);
  optim::SGD optimizer(layer->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  const auto step = [&](Device device) {
    optimizer.zero_grad();
    layer->forward(ones({2, 3}, device)).sum().backward();
    optimizer.step();
  };
  step(kCPU);
  layer->to(kCUDA);
  const double before = layer->bias.item<double>();
  step(kCUDA);
  EXPECT_NEAR(layer->bias.item<double>(), before - 0.1 * (0.9 * 2 + 2), 1e-5);
}

TEST(Optimizer, RefusesATensorThatIsNoLeaf) {
  const Tensor moved = parameter() * 1;
  EXPECT_NE(error_of([&] { optim::SGD({moved}, 0.1); }).find("gradient stays empty"),
            std::string::npos);
}

TEST(Optimizer, TheLearningRateOfAGroupCanBeChanged) {
  const Tensor p = parameter();
  optim::SGD optimizer({p}, 0.1);
  static_cast<optim::SGDOptions&>(optimizer.param_groups()[0].options()).lr(0.5);
  EXPECT_TRUE(near(descend(optimizer, p, 1), {0.5, -1}, 1e-12));
}

TEST(StepLR, LowersEveryGroupsRate) {
  const Tensor p = parameter(), q = parameter();
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{p}, std::make_unique<optim::SGDOptions>(1.0));
  groups.emplace_back(std::vector<Tensor>{q});
  optim::SGD optimizer(groups, 0.5);
  optim::StepLR scheduler(optimizer, 2, 0.1);
  std::vector<double> rates;
  for (int epoch = 0; epoch < 5; ++epoch) {
    scheduler.step();
    for (const auto& group : optimizer.param_groups()) rates.push_back(group.options().get_lr());
  }
  // LibTorch's: its first call counts and changes nothing.
  EXPECT_TRUE(near(rates, {1, 0.5, 1, 0.5, 0.1, 0.05, 0.1, 0.05, 0.01, 0.005}, 1e-12));
}

TEST(Training, ASmallNetworkLearnsExclusiveOr) {
  for (const Device device : devices()) {
    SCOPED_TRACE(device.str());
    manual_seed(1);
    nn::Sequential net(nn::Linear(2, 8), nn::Tanh(), nn::Linear(8, 2));
    net->to(device);
    optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.05));
    const Tensor x = tensor({{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {1.0, 1.0}}).to(device);
    const Tensor y = tensor({0, 1, 1, 0}).to(device);
    double loss = 0;
    for (int i = 0; i < 120; ++i) {
      optimizer.zero_grad();
      const Tensor result = nn::functional::cross_entropy(net->forward(x), y);
      result.backward();
      optimizer.step();
      loss = result.item<double>();
    }
    EXPECT_LT(loss, 0.1);
    EXPECT_TRUE(net->forward(x).argmax(1).equal(y));
  }
}

TEST(Training, AConvolutionalNetworkWithBatchNormLearns) {
  manual_seed(2);
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 4, 3).padding(1)), nn::BatchNorm2d(4),
                     nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), nn::Linear(4 * 16, 2));
  optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  // Bright upper half or bright lower half, in noise.
  const Tensor x = randn({32, 1, 8, 8}) * 0.5;
  Tensor y = zeros({32}, kLong);
  for (int64_t i = 0; i < 32; ++i) {
    x[i][0].narrow(0, i % 2 * 4, 4).add_(1);
    y[i].fill_(i % 2);
  }
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grad();
    nn::functional::cross_entropy(net->forward(x), y).backward();
    optimizer.step();
  }
  net->eval();
  EXPECT_TRUE(net->forward(x).argmax(1).equal(y));
}

TEST(Optimizer, SaysThatAParameterIsNobodysElse) {
  nn::Linear layer(2, 1);
  optim::SGD optimizer(layer->parameters(), 0.1);
  optimizer.step();  // without gradients, but the layer is there
  layer = nn::Linear(2, 1);
  const std::string text = error_of([&] { optimizer.step(); });
  EXPECT_NE(text.find("step: parameter 0 (Linear.weight), float32 [1, 2] on cpu, is held only by "
                      "this optimizer"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace tensorlib::testing
