#pragma once
// Runs programs under xfertrace and keeps the report: on emulated devices, or where
// XFER_TEST_DEVICE is "gpu" and one device as it comes is enough, on the machine's GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "run_command.h"
#include "test_device.h"

namespace xfer::test {

namespace fs = std::filesystem;
using nlohmann::json;

struct Mark {
  fs::path file;
  unsigned line = 0;
};

/// The line that is marked so, in one of the files that stand beside the cases.
inline Mark find_mark(const std::string& name, const std::string& files) {
  std::istringstream list(files);
  for (fs::path file; list >> file;) {
    std::ifstream source(fs::path(XFER_CASES_SOURCE).parent_path() / file);
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number)
      if (line.ends_with("// FIND: " + name)) return {file, number};
  }
  ADD_FAILURE() << "no line is marked FIND: " << name;
  return {};
}

inline std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class TraceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("trace_e2e_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name) const { return folder_ / name; }

  static CommandResult xfertrace(std::vector<std::string> words,
                                 const std::map<std::string, std::string>& environment = {}) {
    words.insert(words.begin(), XFER_XFERTRACE);
    return run_command(words, environment);
  }
  CommandResult trace(const std::vector<std::string>& program, int devices = 1,
                      const std::string& options = {}) {
    std::vector<std::string> words = {"--format", "json", "-o", file("report.json")};
    if (devices > 1 || options.find("emulate_") != std::string::npos || !on_gpu())
      words.insert(words.begin(), "--emulate=" + std::to_string(devices));
    words.insert(words.end(), program.begin(), program.end());
    const CommandResult result = xfertrace(words, {{"XFERCHECK_OPTIONS", options}});
    report_ = json();
    if (std::ifstream in(file("report.json")); in) report_ = json::parse(in, nullptr, false);
    return result;
  }
  CommandResult trace_case(const std::string& name) { return trace({XFER_CASES, name}); }

  std::size_t findings() const { return report_.value("findings", json::array()).size(); }

  /// The report has exactly this finding, at the marked line.
  void expect_only(const std::string& rule, const std::string& name,
                   const std::string& files = XFER_CASES_SOURCES) const {
    const Mark mark = find_mark(name, files);
    ASSERT_EQ(findings(), 1U) << report_.dump(1);
    const json& finding = report_["findings"][0];
    EXPECT_EQ(finding["rule"], rule);
    EXPECT_EQ(fs::path(finding["location"]["file"].get<std::string>()).filename(), mark.file);
    EXPECT_EQ(finding["location"]["line"], mark.line);
  }

  fs::path folder_;
  json report_;
};

}  // namespace xfer::test
