// --check-models: every row of the models against real headers, and what a team sees of its own.

#include <gmock/gmock.h>

#include <filesystem>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kHeader =
    "#pragma once\n"
    "#define OWN_MAJOR 2\n"
    "#define OWN_MINOR 1\n"
    "namespace own {\n"
    "struct Matrix { Matrix upload() const; };\n"
    "Matrix solve(const Matrix&);\n"
    "}\n";

std::string model(const std::string& functions) {
  return "library: own\nheaders: [own.h]\nversion: [OWN_MAJOR, OWN_MINOR]\n"
         "types:\n  - {role: tensor, names: [\"own::Matrix\"]}\nfunctions:\n" +
         functions;
}

class CheckModels : public testing::Test {
 protected:
  CheckModels() { project_.write("own.h", kHeader); }

  Outcome check(const std::string& model_text) {
    project_.write("own.yaml", model_text);
    return project_.lint({"--check-models", "--models", "own.yaml", "--", "-std=c++17", "-I."});
  }

  Project project_;
};

TEST_F(CheckModels, RowsThatTheHeadersDeclareAreFine) {
  const Outcome outcome =
      check(model("  - {names: [upload], on: [\"own::Matrix\"], kind: transfer}\n"
                  "  - {names: [solve], on: [own]}\n"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("own 2.1"));
}

TEST_F(CheckModels, AMisspeltFunctionClassOrTypeIsNamedWithItsLine) {
  const Outcome outcome =
      check(model("  - {names: [upload, uplaod], on: [\"own::Matrix\"]}\n"
                  "  - {names: [solve, upload], on: [own, \"own::Matrix\", \"own::Matrx\"]}\n") +
            "");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("own.yaml:7: own declares no own::Matrix::uplaod"),
                    HasSubstr("own.yaml:8: own declares nothing of this row in own::Matrx"),
                    Not(HasSubstr("solve"))));
  std::string wrong_type = model("  - {names: [solve], on: [own]}\n");
  wrong_type.replace(wrong_type.find("own::Matrix"), 11, "own::Vector");
  EXPECT_THAT(check(wrong_type).out, HasSubstr("own.yaml:5: own declares no type own::Vector"));
}

TEST_F(CheckModels, RowsOfOtherVersionsAndOfAbsentHeadersAreNotChecked) {
  const Outcome outcome =
      check(model("  - {names: [later], on: [own], since: \"2.2\"}\n"
                  "  - {names: [earlier], on: [own], until: \"2.0\"}\n"
                  "  - {names: [elsewhere], on: [own], header: own/more.h}\n"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("own.yaml:9: needs <own/more.h>"));
  EXPECT_EQ(check(model("  - {names: [later], on: [own], since: \"2.1\"}\n")).exit_code, 1);
}

TEST_F(CheckModels, TheMainHeadersComeFirst) {
  project_.write("able.h", "#pragma once\nnamespace own { Matrix able(const Matrix&); }\n");
  const Outcome outcome = check(model("  - {names: [able], on: [own], header: able.h}\n"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(CheckModels, ARowForAllFunctionsOfAScopeNeedsTheScope) {
  const std::string rows =
      "  - {names: [\"*\", \"*_\"], on: [own, \"own::Matrix\"], result: common}\n";
  EXPECT_EQ(check(model(rows)).exit_code, 0);
  EXPECT_THAT(check(model(rows + "  - {names: [\"*\"], on: [owm], result: common}\n")).out,
              HasSubstr("own.yaml:8: own declares nothing of this row in owm"));
}

TEST_F(CheckModels, AFileThatOnlyIncludesTheLibraryIsEnough) {
  project_.write("own.yaml", model("  - {names: [solve], on: [own]}\n"));
  project_.write("uses.cc", "#include \"own.h\"\n");
  const Outcome outcome = project_.lint(
      {"--check-models", "--models", "own.yaml", "uses.cc", "--", "-std=c++17", "-I."});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(CheckModels, NothingToCheckIsSaid) {
  project_.write("own.yaml", model("  - {names: [solve], on: [own]}\n"));
  const Outcome outcome =
      project_.lint({"--check-models", "--models", "own.yaml", "--", "-nostdinc", "-nostdinc++"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("no library that the models know is included"));
}

TEST_F(CheckModels, AVersionThatIsNoneIsRefused) {
  const Outcome outcome = check(model("  - {names: [solve], on: [own], since: soon}\n"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("own.yaml:7: 'soon' is not a version"));
}

/// The built-in models.
class BuiltInModels : public testing::Test {
 protected:
  void expect_right(const std::vector<std::string>& flags, const std::string& library) {
    std::vector<std::string> arguments = {"--check-models", "--", "-std=c++17"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Outcome outcome = Project().lint(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(library));
  }
};

TEST_F(BuiltInModels, MatchLibTorch) {
  if (std::string(XFER_TORCH_INCLUDE).empty()) GTEST_SKIP() << "no LibTorch headers";
  std::vector<std::string> flags = {"-isystem", XFER_TORCH_INCLUDE};
  // With a toolkit the rows of c10/cuda are checked too: a CPU-only LibTorch has those headers.
  const std::filesystem::path nvcc = XFER_NVCC;
  if (!nvcc.empty())
    flags.insert(flags.end(), {"-isystem", nvcc.parent_path().parent_path() / "include"});
  expect_right(flags, "LibTorch ");
}

TEST_F(BuiltInModels, MatchTensorlib) { expect_right({"-I" XFER_TENSORLIB_INCLUDE}, "tensorlib"); }

}  // namespace
}  // namespace xfer::lint
