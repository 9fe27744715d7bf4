#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(TransferInLoopTest, an_unchanged_value_in_every_iteration) {
  check(R"(
void f() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor weights = torch::ones({64, 64});
  for (int i = 0; i < 10; ++i) {
    torch::Tensor batch = torch::randn({8, 64}, device);
    auto scores = batch.matmul(weights.to(device));  // expect: transfer-in-loop
  }
  int n = 5;
  while (n--) {
    auto w = weights.cuda();  // expect: transfer-in-loop
    auto y = w + w;
  }
})");
}

TEST(TransferInLoopTest, the_fix_hoists) {
  const AnalysisResult result = analyze_code(R"(
void f() {
  torch::Tensor weights = torch::ones({64, 64});
  for (int i = 0; i < 10; ++i) {
    auto y = torch::randn({8, 64}).cuda().matmul(weights.cuda());
  }
})");
  ASSERT_EQ(result.findings.size(), 1U);
  ASSERT_TRUE(result.findings[0].fix.has_value());
  ASSERT_EQ(result.findings[0].fix->replacements.size(), 2U);
  EXPECT_EQ(result.findings[0].fix->replacements[0].text,
            "const auto weights_moved = weights.cuda();\n  ");
  EXPECT_EQ(result.findings[0].fix->replacements[1].text, "weights_moved");
}

TEST(TransferInLoopTest, values_that_change) {
  check(R"(
void f(int n) {
  torch::Tensor x = torch::randn({4});
  torch::Tensor y = torch::randn({4});
  torch::Tensor acc = torch::zeros({4}).cuda();
  for (int i = 0; i < n; ++i) {
    auto fresh = torch::randn({4}).cuda();
    acc += fresh;
    acc += x.cuda();
    x.add_(torch::ones({4}));
    auto moved = y.cuda();
    moved.add_(acc);
  }
})");
}

TEST(TransferInLoopTest, what_is_conditional_or_runs_once) {
  check(R"(
bool odd(int i);
void f(int n) {
  torch::Tensor x = torch::randn({4});
  for (int i = 0; i < n; ++i) {
    if (odd(i)) { auto y = x.cuda(); auto z = y + y; }
  }
  while (true) { auto y = x.cuda(); auto z = y + y; break; }
  for (int i = 0; i < n; ++i) {
    x = x.cuda();
    auto z = x + x;
  }
})");
}

TEST(TransferInLoopTest,
     a_device_from_outside_is_meant_for_cuda_a_tensor_from_outside_may_be_there) {
  check(R"(
void f(torch::Tensor x, torch::Device device, int n) {
  torch::Tensor w = torch::randn({4});
  for (int i = 0; i < n; ++i) {
    auto y = x.to(device);
    auto z = y + w.to(device);  // expect: transfer-in-loop
    auto v = y + w.to(x.device());
  }
})");
}

TEST(TransferInLoopTest, copies_that_are_handed_on_or_only_timed) {
  check(R"(
void use(torch::Tensor t);
void f(int n) {
  torch::Tensor x = torch::randn({4});
  std::vector<torch::Tensor> all;
  for (int i = 0; i < n; ++i) all.push_back(x.cuda());
  for (int i = 0; i < n; ++i) use(x.cuda());
  for (int i = 0; i < n; ++i) { auto y = x.cuda(); torch::cuda::synchronize(); }
})");
}

TEST(TransferInLoopTest, an_optimizer_changes_its_parameters) {
  check(R"(
void f(int n) {
  torch::Tensor w = torch::randn({4});
  torch::optim::SGD optimizer({w}, 0.1);
  for (int i = 0; i < n; ++i) {
    auto y = w.cuda();
    auto loss = y + y;
    optimizer.step();
  }
})");
}

}  // namespace
}  // namespace xfer::analyzer::testing
