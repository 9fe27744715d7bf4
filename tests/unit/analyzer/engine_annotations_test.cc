// What a library says of its functions and classes where it declares them.

#include <gmock/gmock.h>

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::analyze_code;
using testing::check;
using ::testing::HasSubstr;

TEST(AnnotationTest, functions_do_what_they_say) {
  check(R"(
    using namespace torch;
    [[clang::annotate("xfer: kind: transfer, result: cuda, discard: stays where it is")]]
    Tensor upload(const Tensor& x);
    [[clang::annotate("xfer: requires: same_device, result: operands")]]
    Tensor solve(const Tensor& a, const Tensor& b);
    [[clang::annotate("xfer: result: cpu")]]
    Tensor read_image(const char* file);
    Tensor silent(const Tensor& a, const Tensor& b);
    void bad() {
      Tensor image = read_image("a.png");
      upload(image);  // expect: discarded-transfer
      solve(image, upload(image));  // expect: missing-transfer
    }
    void good() {
      Tensor image = read_image("a.png");
      Tensor there = upload(image);
      solve(there, upload(read_image("b.png")));
      silent(image, there);
    })");
}

TEST(AnnotationTest, a_later_declaration_and_a_template_say_it_too) {
  check(R"(
    using namespace torch;
    [[clang::annotate("xfer: requires: same_device, result: operands")]]
    Tensor solve(const Tensor& a, const Tensor& b);
    Tensor solve(const Tensor& a, const Tensor& b);
    template <class T>
    [[clang::annotate("xfer: kind: transfer, result: cuda")]] Tensor upload_as(const Tensor& x);
    void bad(Tensor x) {
      solve(torch::ones({2}), upload_as<float>(x));  // expect: missing-transfer
    }
    void good(Tensor x) { solve(torch::ones({2}).to(kCUDA), upload_as<float>(x)); })");
}

TEST(AnnotationTest, classes_are_what_they_say) {
  check(R"(
    namespace own {
    class [[clang::annotate("xfer: role: tensor")]] Matrix {
     public:
      Matrix(); Matrix(const Matrix&); ~Matrix();
      [[clang::annotate("xfer: kind: transfer, result: cuda, discard: stays on the host")]]
      Matrix on_gpu() const;
      [[clang::annotate("xfer: requires: same_device, result: operands")]]
      Matrix times(const Matrix&) const;
    };
    [[clang::annotate("xfer: result: cpu")]] Matrix zeros();
    class Plain { public: Plain(); Plain on_gpu() const; Plain times(const Plain&) const; };
    }
    void bad() {
      own::Matrix a = own::zeros();
      a.on_gpu();  // expect: discarded-transfer
      a.times(a.on_gpu());  // expect: missing-transfer
    }
    void good(own::Plain p) {
      own::Matrix a = own::zeros().on_gpu();
      a.times(a);
      p.on_gpu();
      p.times(p.on_gpu());
    })");
}

TEST(AnnotationTest, what_others_write_there_is_theirs) {
  check(R"(
    using namespace torch;
    [[clang::annotate("slow")]] [[clang::annotate("xfer: requires: same_device")]]
    Tensor solve(const Tensor& a, const Tensor& b);
    [[clang::annotate("xferred: requires: same_device")]]
    Tensor other(const Tensor& a, const Tensor& b);
    void run() {
      solve(torch::ones({2}), torch::ones({2}).to(kCUDA));  // expect: missing-transfer
      other(torch::ones({2}), torch::ones({2}).to(kCUDA));
    })");
}

TEST(AnnotationTest, what_is_not_understood_is_said) {
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
                        HasSubstr("3: xfer annotation: `telepathy` is none of the values"),
                        HasSubstr("4: xfer annotation: unknown key 'colour'"),
                        HasSubstr("5: xfer annotation: "), HasSubstr("7: xfer annotation: ")));
  EXPECT_EQ(result.findings.size(), 0u);
}

}  // namespace
}  // namespace xfer::analyzer
