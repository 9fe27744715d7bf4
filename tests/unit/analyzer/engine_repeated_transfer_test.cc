#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(RepeatedTransferTest, the_first_copy_is_still_there) {
  check(R"(
void f() {
  torch::Tensor x = torch::randn({4, 4});
  auto a = x.cuda();
  auto b = x.cuda();  // expect: repeated-transfer
  auto c = a + b;
}
void g() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor x = torch::randn({4, 4});
  auto s = torch::relu(x.to(device));
  auto t = x.to(device).matmul(s);  // expect: repeated-transfer
})");
}

TEST(RepeatedTransferTest, the_fix_uses_the_variable_that_holds_the_copy) {
  const AnalysisResult result = analyze_code(R"(
void f() {
  torch::Tensor x = torch::randn({4, 4});
  auto a = x.cuda();
  auto b = a + x.cuda();
})");
  ASSERT_EQ(result.findings.size(), 1U);
  ASSERT_TRUE(result.findings[0].fix.has_value());
  EXPECT_EQ(result.findings[0].fix->replacements[0].text, "a");
}

TEST(RepeatedTransferTest, a_changed_source_or_copy_is_another) {
  check(R"(
void change(torch::Tensor& t);
void f(bool b) {
  torch::Tensor x = torch::randn({4, 4});
  auto a = x.cuda();
  x.add_(x);
  auto c = x.cuda();
  c.zero_();
  auto d = x.cuda();
  change(x);
  auto e = x.cuda();
  auto view = x.view({16});
  auto g = x.cuda();
  view.zero_();
  auto h = x.cuda();
  x = torch::randn({4, 4});
  auto i = x.cuda();
})");
}

TEST(RepeatedTransferTest, data_that_others_can_write_to) {
  check(R"(
void f(float* buffer) {
  torch::Tensor x = torch::randn({4, 4});
  auto a = x.cuda();
  x.data_ptr<float>()[0] = 1;
  auto b = x.cuda();
  torch::Tensor y = torch::from_blob(buffer, {4, 4});
  auto c = y.cuda();
  buffer[0] = 1;
  auto d = y.cuda();
})");
}

TEST(RepeatedTransferTest, other_copies) {
  check(R"(
void f(torch::Tensor given, torch::Device device) {
  torch::Tensor x = torch::randn({4, 4});
  auto a = x.to(torch::Device("cuda:0"));
  auto b = x.to(torch::Device("cuda:1"));
  auto c = given.to(device);
  auto d = given.to(device);  // expect: repeated-transfer
  auto e = x.to(torch::kCUDA);
  auto g = x.to(torch::Device(torch::kCUDA), torch::kHalf);
  auto h = x.to(torch::kCUDA, false, true);
})");
}

TEST(RepeatedTransferTest, one_copy_on_each_path) {
  check(R"(
torch::Tensor f(bool b) {
  torch::Tensor x = torch::randn({4, 4});
  if (b) return x.cuda();
  return x.cuda();
}
void g(bool b) {
  torch::Tensor x = torch::randn({4, 4});
  torch::Tensor y;
  if (b) y = x.cuda();
  auto z = x.cuda();
})");
}

TEST(RepeatedTransferTest, a_copy_that_was_let_go) {
  check(R"(
void f() {
  torch::Tensor x = torch::randn({4, 4});
  torch::Tensor a = x.cuda();
  a = torch::relu(a);
  auto b = x.cuda();
})");
}

}  // namespace
}  // namespace xfer::analyzer::testing
