#include "trace_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace xfer::tracer {
namespace {

class TracePath : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("XFERCHECK_OUTPUT_OWNER");
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("trace_path_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    unsetenv("XFERCHECK_OUTPUT_OWNER");
  }
  std::filesystem::path folder_;
  std::string self_ = std::to_string(getpid());
};

TEST_F(TracePath, FillsInTheProcess) {
  TracerOptions options;
  options.output = "/tmp/a-%p.xft";
  EXPECT_EQ(trace_path(options), "/tmp/a-" + self_ + ".xft");
}

TEST_F(TracePath, WithoutANameIsANewFileThatOthersNeitherGuessNorRead) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", folder_.c_str(), 1);
  const std::string first = trace_path({});
  const std::string second = trace_path({});
  kept.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_NE(first, second);
  for (const std::string& path : {first, second}) {
    EXPECT_EQ(std::filesystem::path(path).parent_path(), folder_);
    EXPECT_EQ(std::filesystem::path(path).extension(), ".xft");
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
}

TEST_F(TracePath, AChildDoesNotWriteItsParentsFile) {
  TracerOptions options;
  options.output = "/tmp/a.xft";
  setenv("XFERCHECK_OUTPUT_OWNER", "1", 1);
  EXPECT_EQ(trace_path(options), "/tmp/a.xft." + self_);
}

TEST_F(TracePath, NorDoesAProgramThatReplacedItself) {
  TracerOptions options;
  options.output = (folder_ / "a.xft").string();
  EXPECT_EQ(trace_path(options), options.output);
  std::ofstream(options.output).put('x');
  EXPECT_EQ(trace_path(options), (folder_ / "a.2.xft").string());
  std::ofstream(folder_ / "a.2.xft").put('x');
  EXPECT_EQ(trace_path(options), (folder_ / "a.3.xft").string());
}

TEST_F(TracePath, WithoutANameItIsATemporaryFile) {
  setenv("TMPDIR", folder_.c_str(), 1);
  const std::string path = trace_path({});
  unsetenv("TMPDIR");
  EXPECT_EQ(path.find(folder_.string()), 0U);
  EXPECT_NE(path.find(self_), std::string::npos);
}

}  // namespace
}  // namespace xfer::tracer
