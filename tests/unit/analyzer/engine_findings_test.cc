// A finding's message, notes and repair. The cases in tests/cases/rules check which code has
// findings.

#include <gmock/gmock.h>

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::analyze_code;
using ::testing::HasSubstr;

TEST(FindingsTest, operands_devices_and_places_are_named) {
  const AnalysisResult result = analyze_code(R"(
void f() {
  torch::Tensor a = torch::ones({2, 3});
  torch::Tensor b = torch::ones({2, 3}).cuda();
  torch::Tensor c = a + b;
})");
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings.front();
  EXPECT_EQ(finding.message, "`a` is on the CPU, but `b` is on CUDA");
  ASSERT_EQ(finding.notes.size(), 2U);
  EXPECT_EQ(finding.notes[0].location.line, 3U);
  EXPECT_EQ(finding.notes[1].location.line, 4U);
}

TEST(FindingsTest, a_note_leads_into_another_unit) {
  const AnalysisResult helpers = analyze_code(R"(
    at::Tensor combine(const at::Tensor& a, const at::Tensor& b) {
      return a + b;
    })");
  SummarySet known;
  known.add(helpers.summaries);
  AnalysisOptions options = testing::copy_rules();
  options.others = &known;
  const AnalysisResult caller = analyze_code(R"(
    using namespace torch;
    Tensor combine(const Tensor& a, const Tensor& b);
    void run(Tensor x) { combine(torch::ones({2}), x.to(kCUDA)); })",
                                             options);
  ASSERT_EQ(caller.findings.size(), 1u);
  const Note& note = caller.findings.front().notes.back();
  EXPECT_EQ(note.location.line, 3u);
  EXPECT_EQ(note.location.function, "combine");
  EXPECT_EQ(note.message, "`combine` needs them on one device: `a + b`");
}

TEST(FindingsTest, the_call_that_gives_a_tensor_on_cuda_is_named) {
  const AnalysisResult result = analyze_code(R"(
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

TEST(FindingsTest, a_discarded_result_is_assigned) {
  const AnalysisResult result = analyze_code(R"(
void f(torch::Tensor x, const torch::Tensor& y) {
  x.to(torch::kCUDA);
  y.to(torch::kCUDA);
})");
  ASSERT_EQ(result.findings.size(), 2U);
  ASSERT_TRUE(result.findings[0].fix.has_value());
  ASSERT_EQ(result.findings[0].fix->replacements.size(), 1U);
  EXPECT_EQ(result.findings[0].fix->replacements[0].text, "x = ");
  EXPECT_EQ(result.findings[0].fix->replacements[0].length, 0U);
  EXPECT_FALSE(result.findings[1].fix.has_value());
  EXPECT_EQ(result.findings[0].message,
            "the result of `x.to(torch::kCUDA)` is discarded: `x` stays where it is");
}

TEST(FindingsTest, a_discarded_conversion_is_no_move) {
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

TEST(FindingsTest, a_repeated_transfer_takes_the_variable_that_holds_the_copy) {
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

TEST(FindingsTest, a_transfer_is_hoisted_out_of_its_loop) {
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

TEST(FindingsTest, an_annotation_that_is_not_understood_is_said) {
  const AnalysisResult result = analyze_code(R"(
    using namespace torch;
    [[clang::annotate("xfer: kind: telepathy")]] Tensor upload(const Tensor& x);
    [[clang::annotate("xfer: kind: transfer, colour: red")]] Tensor upload_too(const Tensor& x);
    [[clang::annotate("xfer: kind: transfer}], types: [{names: [x], role: tensor")]]
    Tensor upload_more(const Tensor& x);
    class [[clang::annotate("xfer: rule: tensor")]] Matrix {};
    [[clang::annotate("xfer: kind: telepathy")]] Tensor never_called(const Tensor& x);
    void run(Tensor x, Matrix m) { upload(x); upload_too(x); upload_more(x); })");
  std::vector<std::string> said;
  for (const Note& fault : result.faults)
    said.push_back(std::to_string(fault.location.line) + ": " + fault.message);
  EXPECT_THAT(said, ::testing::UnorderedElementsAre(
                        HasSubstr("3: xfer annotation: `telepathy` is not a value of this key"),
                        HasSubstr("4: xfer annotation: unknown key 'colour'"),
                        HasSubstr("5: xfer annotation: "), HasSubstr("7: xfer annotation: ")));
  EXPECT_EQ(result.findings.size(), 0u);
}

}  // namespace
}  // namespace xfer::analyzer
