// What the calls in a unit give a function: copies that are some only for them.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(GivenTest, copies_of_a_parameter_that_a_call_gives_a_cuda_tensor) {
  check(R"(
    using namespace torch;
    static Tensor back(Tensor x) {
      auto host = x.cpu();
      auto other = ones({2, 2});
      return host.to(x.device());  // expect: round-trip
    }
    static void pass_on(const Tensor& x) { back(x); }
    void run(Device device) {
      auto x = ones({2, 2});
      pass_on(x.to(device));
    })");
}

TEST(GivenTest, the_call_is_named) {
  const AnalysisResult result = testing::analyze_code(R"(
    using namespace torch;
    static Tensor back(Tensor x) {
      auto host = x.cpu();
      auto other = ones({2, 2});
      return host.to(x.device());
    }
    void run() { back(ones({2, 2}, kCUDA)); })");
  ASSERT_EQ(result.findings.size(), 1U);
  ASSERT_FALSE(result.findings[0].notes.empty());
  EXPECT_EQ(result.findings[0].notes.back().message, "in this call `x` can be on CUDA");
  EXPECT_EQ(result.findings[0].notes.back().location.line, 8U);
}

TEST(GivenTest, parameters_that_nobody_gives_a_cuda_tensor) {
  check(R"(
    using namespace torch;
    static Tensor back(Tensor x) {
      auto host = x.cpu();
      auto other = ones({2, 2});
      return host.to(x.device());
    }
    void run(Tensor given) {
      back(ones({2, 2}));
      back(given);
      if (given.is_cuda()) back(given);
    })");
}

TEST(GivenTest, operands_that_differ_are_said_where_the_wrong_one_is_made) {
  check(R"(
    using namespace torch;
    static Tensor twice(Tensor x) { return x + ones({2, 2}); }  // expect: missing-transfer
    static Tensor thrice(Tensor x) { return x + ones({2, 2}); }
    void run() {
      twice(ones({2, 2}, kCUDA));
      thrice(ones({2, 2}, kCUDA));  // expect: missing-transfer
      thrice(ones({2, 2}));
    })");
}

// What others may have changed in between, by another name for it or as its optimizer, is not the
// same any more.
TEST(GivenTest, what_is_asked_for_on_the_cpu_again_may_have_changed) {
  check(R"(
    using namespace torch;
    struct Simulation { Tensor state; void step(); void halve() { state.add_(state); } };
    void stepped(Tensor x, optim::SGD& optimizer) {
      auto a = x.cpu();
      optimizer.step();
      auto c = a + x.cpu();
    }
    void of_a_module(nn::Linear& net, optim::SGD& optimizer) {
      auto a = net->weight.cpu();
      optimizer.step();
      auto c = a + net->weight.cpu();
    }
    void unseen(Tensor x, Simulation& simulation) {
      auto a = x.cpu();
      simulation.step();
      auto c = a + x.cpu();
    }
    void seen(Tensor x, Simulation& simulation) {
      auto a = x.cpu();
      simulation.halve();
      auto c = a + x.cpu();
    }
    void other_name(Tensor x, Tensor y) {
      auto a = x.cpu();
      y.add_(ones({2, 2}));
      auto c = a + x.cpu();
    }
    void called_back(Tensor x, std::function<void()> f) {
      auto a = x.cpu();
      f();
      auto c = a + x.cpu();
    }
    Tensor restored(nn::Linear& net, optim::SGD& optimizer) {
      net->to(kCUDA);
      auto best = net->weight.cpu();
      optimizer.step();
      return best.cuda();
    }
    void of_its_own(Tensor x, optim::SGD& optimizer) {
      auto a = x.cpu();
      auto y = ones({2, 2});
      y.add_(ones({2, 2}));
      auto c = a + x.cpu() + y;  // expect: repeated-transfer
    })");
}

TEST(GivenTest, what_is_asked_for_on_the_cpu_in_a_loop) {
  check(R"(
    using namespace torch;
    void show(Tensor x) {
      for (int i = 0; i < 3; ++i) {
        auto host = x.cpu();  // expect: transfer-in-loop
        auto doubled = host + host;
      }
    }
    void stepped(Tensor x, optim::SGD& optimizer) {
      for (int i = 0; i < 3; ++i) {
        optimizer.step();
        auto host = x.cpu();
        auto doubled = host + host;
      }
    }
    void waits(Tensor done) {
      while (done.cpu().item<float>() < 1) {
      }
    })");
}

TEST(GivenTest, what_is_asked_for_on_the_cpu_twice) {
  check(R"(
    using namespace torch;
    void show(Tensor x) {
      auto a = x.cpu();
      auto b = x.cpu();  // expect: repeated-transfer
      auto c = a + b;
    }
    void changed(Tensor x) {
      auto a = x.cpu();
      x.add_(a);
      auto b = x.cpu();
      auto c = a + b;
    }
    void of_the_host() {
      Device host = kCPU;
      auto x = ones({2, 2}, host);
      auto a = x.cpu();
      auto b = x.cpu();
      auto c = a + b;
    })");
}

}  // namespace
}  // namespace xfer::analyzer
