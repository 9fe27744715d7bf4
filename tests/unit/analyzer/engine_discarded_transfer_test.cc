#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(DiscardedTransferTest, statements_commas_and_bare_branches) {
  check(R"(
void f(torch::Tensor x, torch::Tensor y, torch::Device d, bool b) {
  x.to(d);  // expect: discarded-transfer
  x.cuda();  // expect: discarded-transfer
  y.cpu();  // expect: discarded-transfer
  if (b) x.to(torch::kCUDA);  // expect: discarded-transfer
  else y.to(torch::kHalf);  // expect: discarded-transfer
  for (int i = 0; i < 3; ++i) x.to(d);  // expect: discarded-transfer
  x.to(d), y = y.to(d);  // expect: discarded-transfer
  b ? x.to(d) : y;  // expect: discarded-transfer
})");
}

TEST(DiscardedTransferTest, the_fix_assigns_the_result) {
  const std::string code = R"(
void f(torch::Tensor x, const torch::Tensor& y) {
  x.to(torch::kCUDA);
  y.to(torch::kCUDA);
})";
  const AnalysisResult result = analyze_code(code);
  ASSERT_EQ(result.findings.size(), 2U);
  ASSERT_TRUE(result.findings[0].fix.has_value());
  ASSERT_EQ(result.findings[0].fix->replacements.size(), 1U);
  EXPECT_EQ(result.findings[0].fix->replacements[0].text, "x = ");
  EXPECT_EQ(result.findings[0].fix->replacements[0].length, 0U);
  EXPECT_FALSE(result.findings[1].fix.has_value());
  EXPECT_EQ(result.findings[0].message,
            "the result of `x.to(torch::kCUDA)` is discarded: `x` stays where it is");
}

TEST(DiscardedTransferTest, a_conversion_is_no_move) {
  const AnalysisResult result = analyze_code(R"(
void f(torch::Tensor x, torch::Device d) {
  x.to(torch::kHalf);
  x.to(d, torch::kHalf);
})");
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].message,
            "the result of `x.to(torch::kHalf)` is discarded: `x` keeps its element type");
  EXPECT_EQ(result.findings[1].message,
            "the result of `x.to(d, torch::kHalf)` is discarded: `x` stays where it is");
}

TEST(DiscardedTransferTest, modules_and_own_classes_move_in_place) {
  check(R"(
struct Batch { torch::Tensor x; void to(torch::Device d) { x = x.to(d); } };
struct Net : torch::nn::Module { torch::Tensor forward(torch::Tensor x) { return x; } };
template <class T> void move(T& t, torch::Device d) { t.to(d); }
void f(torch::nn::Linear layer, Batch batch, torch::Device d) {
  layer->to(d);
  layer->to(torch::kHalf);
  batch.to(d);
  Net net;
  net.to(d);
  move(net, d);
})");
}

TEST(DiscardedTransferTest, used_results_are_used) {
  check(R"(
torch::Tensor g(torch::Tensor t);
torch::Tensor f(torch::Tensor x, torch::Device d) {
  auto y = x.to(d);
  x = x.to(d);  // expect: repeated-transfer
  g(x.to(d));
  x.to(d).add_(y);
  if (x.to(d).is_cuda()) return y;
  while (x.cpu().item<bool>()) {}
  return x.to(d);
})");
}

TEST(DiscardedTransferTest, on_purpose) {
  check(R"(
void f(torch::Tensor x, torch::Device d) {
  (void)x.to(d);
  static_cast<void>(x.to(d));
  torch::ones({1}).to(d);
}
void timed(torch::Tensor x, torch::Device d) {
  x.to(d);
  torch::cuda::synchronize();
})");
}

TEST(DiscardedTransferTest, template_instances) {
  check(R"(
template <class T> void move(T& t, torch::Device d) {
  t.to(d);  // expect: discarded-transfer
}
void f(torch::Tensor x, torch::nn::Linear layer, torch::Device d) {
  move(x, d);
  move(*layer, d);
})");
}

}  // namespace
}  // namespace xfer::analyzer::testing
