#include "src/source_cache.h"

#include "sample.h"

namespace xfer {
namespace {

using Position = std::pair<std::size_t, std::size_t>;

TEST(SourceCache, gives_lines_without_their_ends) {
  const TempDir dir;
  dir.write("a.cc", "one\r\n\nthree");
  SourceCache sources(dir.path());
  EXPECT_EQ(sources.line_count("a.cc"), 3u);
  EXPECT_EQ(sources.line("a.cc", 1), "one");
  EXPECT_EQ(sources.line("a.cc", 2), "");
  EXPECT_EQ(sources.line("a.cc", 3), "three");
  EXPECT_EQ(sources.line("a.cc", 0), "");
  EXPECT_EQ(sources.line("a.cc", 4), "");
}

TEST(SourceCache, finds_positions) {
  const TempDir dir;
  dir.write("a.cc", "one\n\nthree\n");
  SourceCache sources(dir.path());
  EXPECT_EQ(sources.position("a.cc", 0), Position(1, 1));
  EXPECT_EQ(sources.position("a.cc", 3), Position(1, 4));
  EXPECT_EQ(sources.position("a.cc", 4), Position(2, 1));
  EXPECT_EQ(sources.position("a.cc", 5), Position(3, 1));
  EXPECT_EQ(sources.position("a.cc", 10), Position(3, 6));
  EXPECT_EQ(sources.position("a.cc", 12), Position(0, 0));
}

TEST(SourceCache, what_is_no_file_is_empty) {
  const TempDir dir;
  dir.write("empty.cc", "");
  SourceCache sources(dir.path());
  for (const char* name : {"missing.cc", "empty.cc", ".", "/dev/zero"}) {
    EXPECT_EQ(sources.line(name, 1), "") << name;
    EXPECT_EQ(sources.line_count(name), 0u) << name;
    EXPECT_EQ(sources.position(name, 0), Position(0, 0)) << name;
  }
}

}  // namespace
}  // namespace xfer
