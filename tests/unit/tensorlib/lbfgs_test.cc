// LBFGS: where it ends, what it reads on the host, what it keeps.
#include <cmath>
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

Tensor start(Device device) {
  const Tensor p = tensor({-1.2, 1.0}, kDouble).to(device);
  p.requires_grad_();
  return p;
}

// Rosenbrock's valley, lowest at (1, 1).
Tensor valley(const Tensor& p) {
  return (1 - p[0]).square() + 100 * (p[1] - p[0].square()).square();
}

struct Counted {
  Tensor operator()() {
    ++calls;
    optimizer->zero_grad();
    const Tensor loss = valley(p);
    loss.backward();
    return loss;
  }
  optim::Optimizer* optimizer;
  Tensor p;
  int calls = 0;
};

TEST(LBFGS, FindsTheLowestPlaceOfAValley) {
  for (const Device device : devices()) {
    const Tensor p = start(device);
    optim::LBFGS optimizer(
        {p},
        optim::LBFGSOptions(1).max_iter(60).tolerance_change(1e-13).line_search_fn("strong_wolfe"));
    Counted closure{&optimizer, p};
    const Tensor first = optimizer.step(std::ref(closure));
    EXPECT_NEAR(first.item<double>(), 24.2, 1e-9);
    EXPECT_TRUE(near(elements(p), {1, 1}, 1e-6)) << device;
    EXPECT_LE(closure.calls, 75);
  }
}

// Of a quadratic function the memory of one step is the inverse Hessian along it.
TEST(LBFGS, AFixedStepUsesWhatTheLastOneHasShown) {
  for (const Device device : devices()) {
    const Tensor p = tensor({4.0}, kDouble).to(device);
    p.requires_grad_();
    optim::LBFGS optimizer({p}, optim::LBFGSOptions(1).max_iter(3));
    int calls = 0;
    const auto closure = [&] {
      ++calls;
      optimizer.zero_grad();
      const Tensor loss = (p.square() * 2.5).sum();
      loss.backward();
      return loss;
    };
    optimizer.step(closure);
    EXPECT_NEAR(p.item<double>(), 0, 1e-12);
    EXPECT_EQ(calls, 3);
  }
}

TEST(LBFGS, ReadsFewNumbersAndNothingElse) {
  for (const Device device : cuda_devices()) {
    const Tensor p = start(device);
    for (const bool searches : {false, true}) {
      auto options = optim::LBFGSOptions(0.001).max_iter(5);
      if (searches) options.line_search_fn("strong_wolfe");
      optim::LBFGS optimizer({p}, options);
      Counted closure{&optimizer, p};
      NoImplicitTransfers none;
      TransferBudget budget(TransferLimit().bytes(100 * sizeof(double)));
      optimizer.step(std::ref(closure));
      // One copy for each call of the closure, one for each iteration.
      EXPECT_LE(budget.used_count(), static_cast<uint64_t>(closure.calls) + 5);
      EXPECT_GE(budget.used_count(), static_cast<uint64_t>(closure.calls));
      for (const auto& row : budget.rows()) {
        EXPECT_EQ(row.direction, TransferDirection::kDeviceToHost);
        EXPECT_LE(row.bytes, row.count * 5 * sizeof(double));
      }
    }
  }
}

// A user's guard and ledger see the closure's own transfers as they are.
TEST(LBFGS, TheClosuresTransfersAreItsOwn) {
  for (const Device device : cuda_devices()) {
    const Tensor p = start(device);
    optim::LBFGS optimizer({p}, optim::LBFGSOptions(0.001).max_iter(1));
    NoImplicitTransfers none;
    EXPECT_THROW(optimizer.step([&] {
      const Tensor loss = valley(p);
      loss.backward();
      (void)loss.item<double>();
      return loss;
    }),
                 TransferError);
  }
}

TEST(LBFGS, GoesOnFromWhatWasSaved) {
  for (const Device device : devices()) {
    const auto options = optim::LBFGSOptions(1).max_iter(4).line_search_fn("strong_wolfe");
    const Tensor p = start(device);
    optim::LBFGS optimizer({p}, options);
    Counted closure{&optimizer, p};
    optimizer.step(std::ref(closure));
    std::stringstream file;
    save(optimizer, file);
    const Tensor q = p.detach().clone();
    q.requires_grad_();
    optim::LBFGS resumed({q}, optim::LBFGSOptions(0.5));
    load(resumed, file);
    Counted again{&resumed, q};
    optimizer.step(std::ref(closure));
    resumed.step(std::ref(again));
    EXPECT_EQ(elements(q), elements(p));
    const Tensor other = ones({3}, kDouble).requires_grad_();
    optim::LBFGS wrong({other}, options);
    file.clear();
    file.seekg(0);
    EXPECT_THROW(load(wrong, file), ShapeError);
  }
}

TEST(LBFGS, FollowsParametersThatAreMoved) {
  for (const Device device : cuda_devices()) {
    nn::Linear layer(3, 2), beside(3, 2);
    {
      NoGradGuard no_grad;
      beside->weight.copy_(layer->weight);
      beside->bias.copy_(layer->bias);
    }
    const auto train = [](nn::Linear& net, optim::LBFGS& optimizer) {
      const Tensor x = ((arange(12, kFloat) * 0.7).sin().view({4, 3})).to(net->weight.device());
      optimizer.step([&] {
        optimizer.zero_grad();
        const Tensor loss = (net(x) - 1).square().mean();
        loss.backward();
        return loss;
      });
    };
    optim::LBFGS one(layer->parameters(), optim::LBFGSOptions(0.5).max_iter(3));
    optim::LBFGS two(beside->parameters(), optim::LBFGSOptions(0.5).max_iter(3));
    train(layer, one);
    train(beside, two);
    layer->to(device);
    train(layer, one);
    train(beside, two);
    EXPECT_TRUE(near(elements(layer->weight), elements(beside->weight), 1e-4));
  }
}

TEST(LBFGS, RefusesWhatItCannotDo) {
  const Tensor p = start(kCPU);
  optim::LBFGS optimizer({p});
  EXPECT_NE(error_of([&] { optimizer.step({}); }).find("step takes a closure"), std::string::npos);
  optim::LBFGS other({p}, optim::LBFGSOptions().line_search_fn("armijo"));
  EXPECT_NE(
      error_of([&] { other.step([&] { return valley(p); }); }).find("no line search \"armijo\""),
      std::string::npos);
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{p});
  groups.emplace_back(std::vector<Tensor>{start(kCPU)});
  EXPECT_THROW(optim::LBFGS{groups}, Error);
  for (const Device device : cuda_devices()) {
    const Tensor q = start(device);
    optim::LBFGS apart({p, q});
    const std::string text = error_of([&] {
      apart.step([&] {
        const Tensor loss = valley(p);
        loss.backward();
        valley(q).backward();
        return loss;
      });
    });
    EXPECT_NE(text.find("LBFGS: operands are on different devices"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tensorlib::testing
