#include "sample.h"

namespace xfer {
namespace {

std::string relative(const std::string& file, const std::filesystem::path& root) {
  Report report = report_of({small_finding(Rule::kRoundTrip, file, 1)});
  make_relative(report, root);
  return report.findings[0].location.file;
}

TEST(MakeRelative, cuts_the_root) {
  EXPECT_EQ(relative("/p/src/a.cc", "/p"), "src/a.cc");
  EXPECT_EQ(relative("/p/src/a.cc", "/p/"), "src/a.cc");
  EXPECT_EQ(relative("/p/build/../src/./a.cc", "/p"), "src/a.cc");
  EXPECT_EQ(relative("/a.cc", "/"), "a.cc");
}

TEST(MakeRelative, leaves_what_lies_elsewhere) {
  EXPECT_EQ(relative("/projects/a.cc", "/p"), "/projects/a.cc");
  EXPECT_EQ(relative("/usr/include/x.h", "/p"), "/usr/include/x.h");
  EXPECT_EQ(relative("/p", "/p"), "/p");
  EXPECT_EQ(relative("", "/p"), "");
  EXPECT_EQ(relative("./src/a.cc", "/p"), "src/a.cc");
}

TEST(MakeRelative, sees_through_symbolic_links) {
  const TempDir dir;
  dir.write("real/src/a.cc", "x\n");
  std::filesystem::create_directory_symlink(dir.path() / "real", dir.path() / "link");
  EXPECT_EQ(relative((dir.path() / "link/src/a.cc").string(), dir.path() / "real"), "src/a.cc");
  EXPECT_EQ(relative((dir.path() / "real/src/a.cc").string(), dir.path() / "link"), "src/a.cc");
}

TEST(MakeRelative, reaches_every_location) {
  Finding finding = full_finding();
  finding.location.file = "/p/a";
  finding.notes[0].location.file = "/p/b";
  finding.stack[1].file = "/p/c";
  finding.fix->replacements[0].file = "/p/d";
  Report report = report_of({finding});
  make_relative(report, "/p");
  const Finding& changed = report.findings[0];
  EXPECT_EQ(changed.location.file, "a");
  EXPECT_EQ(changed.notes[0].location.file, "b");
  EXPECT_EQ(changed.stack[1].file, "c");
  EXPECT_EQ(changed.fix->replacements[0].file, "d");
}

TEST(ProjectRoot, is_the_work_tree_else_the_folder) {
  const TempDir dir;
  dir.write("p/build/x", "");
  EXPECT_EQ(project_root_of(dir.path() / "p/build/"), dir.path() / "p/build");
  dir.write("p/.git", "gitdir: elsewhere\n");
  EXPECT_EQ(project_root_of(dir.path() / "p/build"), dir.path() / "p");
  EXPECT_EQ(project_root_of(dir.path() / "p"), dir.path() / "p");
  EXPECT_EQ(project_root_of("/"), "/");
}

}  // namespace
}  // namespace xfer
