#pragma once
// Findings and source files that the tests of the writers share.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "xfer/rules/report.h"

namespace xfer {

/// An empty folder that goes away with the test.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "xfer_rules_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << text;
  }

 private:
  std::filesystem::path path_;
};

inline const char* const kSampleSource =
    "#include <torch/torch.h>\n"
    "void f(torch::Tensor x) {\n"
    "\tx.to(torch::kCUDA);\n"
    "  for (int i = 0; i < 3; ++i)\n"
    "    g(x.to(torch::kCUDA));\n"
    "}\n";

/// Every field is set.
inline Finding full_finding() {
  Finding finding;
  finding.rule = Rule::kDiscardedTransfer;
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kCertain;
  finding.message = "the result of to is discarded: x stays where it is";
  finding.location = {"src/f.cc", 3, 2, "f(at::Tensor)"};
  finding.notes = {{{"src/f.cc", 2, 22, "f(at::Tensor)"}, "x was made here"}};
  finding.stack = {{"src/f.cc", 3, 0, "f(at::Tensor)"}, {"src/main.cc", 7, 0, "main"}};
  finding.fix = Fix{"assign it", {{"src/f.cc", 52, 0, "x = "}}};
  finding.cost = Cost{12, 1536, 1200000, 500, 700000};
  finding.first_seen = {{0, 1000}, {2, 0}};
  finding.fingerprint = "0123456789abcdef";
  return finding;
}

inline Finding small_finding(Rule rule, const std::string& file, unsigned line,
                             Severity severity = Severity::kWarning) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.message = "m";
  finding.location = {file, line, 1, "f"};
  return finding;
}

inline Report report_of(std::vector<Finding> findings, const std::string& tool = "xferlint") {
  Report report;
  report.tool = tool;
  report.findings = std::move(findings);
  return report;
}

}  // namespace xfer
