#include "analyzer/driver/pch_cache.h"

#include <gtest/gtest.h>

#include "analyzer/driver/file_marks.h"
#include "temp_folder.h"

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;

class PchCacheTest : public testing::Test {
 protected:
  PchCacheTest() : cache_(folder_.path() / "cache"), header_(folder_.write("lib.h", "int x;")) {}

  void publish() {
    std::ofstream(cache_.temporary("k")) << "pch";
    cache_.publish("k", cache_.temporary("k"),
                   to_lines({{header_.string(), content_mark("int x;")}}));
  }

  TempFolder folder_;
  PchCache cache_;
  fs::path header_;
};

TEST_F(PchCacheTest, FreshUntilAHeaderChanges) {
  EXPECT_TRUE(cache_.usable());
  EXPECT_FALSE(cache_.is_fresh("k"));
  publish();
  EXPECT_TRUE(cache_.is_fresh("k"));
  folder_.write("lib.h", "int xy;");
  EXPECT_FALSE(cache_.is_fresh("k"));
  EXPECT_FALSE(fs::exists(cache_.pch("k")));
}

TEST_F(PchCacheTest, StaleWhenAHeaderIsGone) {
  publish();
  fs::remove(header_);
  EXPECT_FALSE(cache_.is_fresh("k"));
}

TEST_F(PchCacheTest, StaleWithoutItsListOfHeaders) {
  publish();
  fs::remove(cache_.folder() / "k.deps");
  EXPECT_FALSE(cache_.is_fresh("k"));
}

TEST_F(PchCacheTest, WantedIsRemembered) {
  EXPECT_FALSE(cache_.note_wanted("k"));
  EXPECT_TRUE(cache_.note_wanted("k"));
  EXPECT_FALSE(cache_.note_wanted("other"));
}

TEST_F(PchCacheTest, TheHeaderKeepsItsTime) {
  cache_.write_header("k", {"a.h"});
  const auto time = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(cache_.header("k"), time);
  cache_.write_header("k", {"a.h"});
  EXPECT_EQ(fs::last_write_time(cache_.header("k")), time);
}

TEST_F(PchCacheTest, KeysDependOnOptionsAndHeaders) {
  ParseCommand command;
  command.arguments = {"clang++", "-DX"};
  const std::string key = PchCache::key(command, {"a.h"});
  EXPECT_NE(key, PchCache::key(command, {"b.h"}));
  command.file = "/another/file.cc";
  EXPECT_EQ(key, PchCache::key(command, {"a.h"}));
  command.arguments.push_back("-DY");
  EXPECT_NE(key, PchCache::key(command, {"a.h"}));
}

TEST_F(PchCacheTest, TrimRemovesTheLongestUnused) {
  publish();
  std::ofstream(cache_.pch("old")) << "pch";
  fs::last_write_time(cache_.pch("old"), fs::file_time_type::clock::now() - std::chrono::hours(9));
  cache_.trim(3);
  EXPECT_TRUE(fs::exists(cache_.pch("k")));
  EXPECT_FALSE(fs::exists(cache_.pch("old")));
}

TEST(PchCacheFolder, UnusableIsSaid) { EXPECT_FALSE(PchCache("/proc/xferlint").usable()); }

}  // namespace
}  // namespace xfer::lint
