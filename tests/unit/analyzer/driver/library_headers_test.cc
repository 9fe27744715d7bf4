#include "analyzer/driver/library_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

class LibraryHeadersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    make("own/c++/12/vector");
    make("own/x86_64-linux-gnu/c++/12/bits/c++config.h");
    fs::create_directories(folder_ / "machine");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void make(const std::string& name) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "\n";
  }
  std::optional<LibraryHeaders> found() const {
    return own_library_headers(folder_ / "own", folder_ / "machine");
  }
  std::string own(const std::string& name) const { return (folder_ / "own" / name).string(); }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("library_headers_" + std::to_string(getpid()));
};

TEST_F(LibraryHeadersTest, StandInWhereTheMachineHasNone) {
  const auto headers = found();
  ASSERT_TRUE(headers);
  const auto added = with_library_headers(*headers, {"clang++", "-std=c++17"});
  EXPECT_THAT(added, Contains(own("c++/12")));
  EXPECT_THAT(added, Contains(own("x86_64-linux-gnu/c++/12")));
  EXPECT_THAT(added, Contains(own("x86_64-linux-gnu")));
  EXPECT_THAT(added, Contains(folder_ / "own"));
}

TEST_F(LibraryHeadersTest, AreLeftOutWhereTheMachineHasItsOwn) {
  for (const char* its : {"usr/include/c++/14/vector", "usr/lib/llvm-22/include/c++/v1/vector",
                          "opt/rh/gcc-toolset-13/root"
                          "/usr/include/c++/13/vector"}) {
    make(std::string("machine/") + its);
    EXPECT_FALSE(found()) << its;
    fs::remove_all(folder_ / "machine");
  }
  EXPECT_TRUE(found());
}

TEST_F(LibraryHeadersTest, TheCLibraryOfTheMachineGoesBefore) {
  make("machine/usr/include/stdio.h");
  const auto added = with_library_headers(*found(), {"clang++"});
  EXPECT_THAT(added, Contains(own("c++/12")));
  EXPECT_THAT(added, Not(Contains("-idirafter")));
}

TEST_F(LibraryHeadersTest, ACommandThatNamesALibraryKeepsIt) {
  for (const char* word : {"--sysroot=/opt/board", "-nostdinc++", "-stdlib=libc++",
                           "--gcc-toolchain=/opt/gcc", "--target=aarch64-linux-gnu"})
    EXPECT_THAT(with_library_headers(*found(), {"clang++", word}), IsEmpty()) << word;
}

TEST_F(LibraryHeadersTest, NothingIsAddedWhereNothingIsInstalled) {
  fs::remove_all(folder_ / "own");
  EXPECT_FALSE(found());
}

}  // namespace
}  // namespace xfer::lint
