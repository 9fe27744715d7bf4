// --explain-unknown: what the analysis lost track of, why, and on which line.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class ExplainUnknown : public testing::Test {
 protected:
  ExplainUnknown() {
    project_.write("a.cc",
                   "#include <torch/torch.h>\n"
                   "at::Tensor load(int);\n"
                   "void change(at::Tensor&);\n"
                   "void f(at::Tensor given) {\n"
                   "  at::Tensor batch = load(1);\n"
                   "  at::Tensor other = load(2);\n"
                   "  at::Tensor last = at::ones(2);\n"
                   "  change(last);\n"
                   "  given.add(load(3));\n"
                   "}\n");
    project_.write("clean.cc", kClean);
    project_.database({"a.cc", "clean.cc"});
  }

  Project project_;
};

TEST_F(ExplainUnknown, ByFrequencyWithVariablesAndLines) {
  const Outcome outcome = project_.lint({"-p", "build", "--explain-unknown"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("xferlint:      3  call of load, whose body is not here\n"
                              "xferlint:           a.cc:5 `batch`\n"
                              "xferlint:           a.cc:6 `other`\n"
                              "xferlint:           a.cc:9\n"
                              "xferlint:      1  an operand: `f`, which nothing reaches\n"
                              "xferlint:           a.cc:9 `given`\n"
                              "xferlint:      1  an operand: `load`, which nothing reaches\n"
                              "xferlint:           a.cc:9 `load(3)`\n"
                              "xferlint:      1  call of change, whose body is not here\n"
                              "xferlint:           a.cc:8 `last`\n")));
}

TEST_F(ExplainUnknown, AllPlacesInTheReport) {
  const nlohmann::json unknown = project_.findings({"--explain-unknown"}).at("stats").at("unknown");
  const nlohmann::json& load = unknown.at("call of load, whose body is not here");
  EXPECT_EQ(load.at("count"), 3);
  EXPECT_THAT(
      load.at("places"),
      UnorderedElementsAre(nlohmann::json({{"file", "a.cc"}, {"line", 5}, {"variable", "batch"}}),
                           nlohmann::json({{"file", "a.cc"}, {"line", 6}, {"variable", "other"}}),
                           nlohmann::json({{"file", "a.cc"}, {"line", 9}, {"variable", ""}})));
  EXPECT_FALSE(project_.findings().at("stats").contains("unknown"));
}

TEST_F(ExplainUnknown, ManyPlacesAreCounted) {
  std::string code = "#include <torch/torch.h>\nat::Tensor load(int);\nvoid f() {\n";
  for (int i = 0; i < 9; ++i) code += "  at::Tensor t" + std::to_string(i) + " = load(1);\n";
  project_.write("a.cc", code + "}\n");
  const Outcome outcome = project_.lint({"-p", "build", "--explain-unknown"});
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("      9  call of load"), HasSubstr("a.cc:7 `t3`\n"),
                                 HasSubstr("and on 5 more lines"), Not(HasSubstr("`t4`"))));
}

TEST_F(ExplainUnknown, OperandsAreCounted) {
  project_.write("b.cc",
                 "#include <torch/torch.h>\n"
                 "void g(at::Tensor given) { given.add(at::ones(2)); }\n");
  project_.database({"b.cc"});
  const nlohmann::json stats = project_.findings().at("stats");
  EXPECT_EQ(stats.at("operands"), 2);
  EXPECT_EQ(stats.at("operands_known"), 1);
}

TEST_F(ExplainUnknown, NothingUnknown) {
  const Outcome outcome = project_.lint({"-p", "build", "--explain-unknown", "clean.cc"});
  EXPECT_THAT(outcome.err, HasSubstr("the analysis lost track of no device"));
}

}  // namespace
}  // namespace xfer::lint
