#include "analyzer/driver/depfile.h"

#include <gtest/gtest.h>

namespace xfer::lint {
namespace {

TEST(Depfile, ARuleForEachFile) {
  EXPECT_EQ(depfile_text("out/a.facts", {"/p/a.cc", "/p/a.h"}),
            "out/a.facts: \\\n  /p/a.cc \\\n  /p/a.h\n");
  EXPECT_EQ(depfile_text("a.facts", {}), "a.facts:\n");
}

TEST(Depfile, NamesAreEscaped) {
  EXPECT_EQ(depfile_text("a b", {"/p/$x#1.h"}), "a\\ b: \\\n  /p/$$x\\#1.h\n");
  EXPECT_EQ(depfile_text("a", {R"(/p\ q.h)", R"(/p\q.h)"}),
            "a: \\\n  /p\\\\\\ q.h \\\n  /p\\q.h\n");
}

}  // namespace
}  // namespace xfer::lint
