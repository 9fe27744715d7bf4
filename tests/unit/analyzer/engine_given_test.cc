// What the calls in a unit give a function: copies that are some only for them.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(GivenTest, copies_of_a_parameter_that_a_call_gives_a_cuda_tensor) {
  check(R"(
    using namespace torch;
    static void show(Tensor x) {
      for (int i = 0; i < 3; ++i) {
        auto host = x.cpu();  // expect: transfer-in-loop
        auto doubled = host + host;
      }
    }
    static void pass_on(const Tensor& x) { show(x); }
    void run(Device device) {
      auto x = ones({2, 2});
      pass_on(x.to(device));
    })");
}

TEST(GivenTest, the_call_is_named) {
  const AnalysisResult result = testing::analyze_code(R"(
    using namespace torch;
    static void show(Tensor x) {
      for (int i = 0; i < 3; ++i) {
        auto host = x.cpu();
        auto doubled = host + host;
      }
    }
    void run() { show(ones({2, 2}, kCUDA)); })");
  ASSERT_EQ(result.findings.size(), 1U);
  ASSERT_FALSE(result.findings[0].notes.empty());
  EXPECT_EQ(result.findings[0].notes.back().message, "in this call `x` can be on CUDA");
  EXPECT_EQ(result.findings[0].notes.back().location.line, 9U);
}

TEST(GivenTest, parameters_that_nobody_gives_a_cuda_tensor) {
  check(R"(
    using namespace torch;
    static void show(Tensor x) {
      for (int i = 0; i < 3; ++i) {
        auto host = x.cpu();
        auto doubled = host + host;
      }
    }
    void anybody(Tensor x) {
      for (int i = 0; i < 3; ++i) {
        auto host = x.cpu();
        auto doubled = host + host;
      }
    }
    void run(Tensor given) {
      show(ones({2, 2}));
      show(given);
      if (given.is_cuda()) show(given);
    })");
}

TEST(GivenTest, operands_that_differ_are_said_at_the_call) {
  check(R"(
    using namespace torch;
    static Tensor twice(Tensor x) { return x + ones({2, 2}); }
    void run() {
      twice(ones({2, 2}, kCUDA));  // expect: missing-transfer
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
