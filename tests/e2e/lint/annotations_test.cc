// XFER_MODEL of xfer/annotate.h and what xferlint understands by it are one thing.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Annotations : public testing::Test {
 protected:
  Annotations() {
    project_.write("own.h",
                   "#include <torch/torch.h>\n"
                   "#include <xfer/annotate.h>\n"
                   "namespace own {\n"
                   "XFER_MODEL(\"kind: transfer, result: cuda, discard: stays where it is\")\n"
                   "at::Tensor upload(const at::Tensor& x);\n"
                   "XFER_MODEL(\"requires: same_device, result: operands\")\n"
                   "at::Tensor solve(const at::Tensor& a, const at::Tensor& b);\n"
                   "}\n");
    project_.write("main.cc",
                   "#include \"own.h\"\n"
                   "void run() {\n"
                   "  at::Tensor x = at::ones(3);\n"
                   "  own::upload(x);\n"
                   "  own::solve(x, own::upload(x));\n"
                   "}\n");
    project_.database({"main.cc"}, "-I" XFER_ANNOTATE_INCLUDE);
  }

  Project project_;
};

TEST_F(Annotations, AreUnderstood) {
  EXPECT_THAT(places(project_.findings()),
              ElementsAre("discarded-transfer main.cc:4", "missing-transfer main.cc:5"));
}

TEST_F(Annotations, AreNothingToOtherCompilers) {
  const Outcome outcome = run({{"g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                "-isystem", XFER_LINT_MOCK, "-I" XFER_ANNOTATE_INCLUDE, "main.cc"},
                               {},
                               project_.path().string(),
                               ""});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Annotations, ARowOfATeamsModelFileWins) {
  project_.write("own.yaml",
                 "library: own\n"
                 "functions:\n"
                 "  - {names: [upload, solve], on: [own], result: unknown}\n");
  EXPECT_THAT(places(project_.findings({"--models", "own.yaml"})), IsEmpty());
}

TEST_F(Annotations, OneThatIsNotUnderstoodIsSaid) {
  std::string header = project_.read("own.h");
  header.replace(header.find("same_device"), 11, "same_divice");
  project_.write("own.h", header);
  const Outcome outcome = project_.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("own.h:6:1: error: xfer annotation: `same_divice` is not a value"),
                    HasSubstr("rules/models/SCHEMA.md")));
}

}  // namespace
}  // namespace xfer::lint
