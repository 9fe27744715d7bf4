#include "analyzer/driver/project.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

TEST(Project, RootIsTheWorkTree) {
  const TempFolder folder;
  folder.write(".git/HEAD", "");
  const auto a = folder.write("src/a/x.cc", "");
  const auto b = folder.write("src/b/y.cc", "");
  EXPECT_EQ(project_root({a, b}, {}), folder.path());
  EXPECT_EQ(project_root({a, b}, folder.path() / "src"), folder.path() / "src");
  EXPECT_EQ(project_root({a, b}, (folder.path() / "src" / "").string()), folder.path() / "src");
}

TEST(Project, GeneratedFilesElsewhereDoNotMoveTheRoot) {
  const TempFolder folder;
  folder.write("p/.git/HEAD", "");
  const auto a = folder.write("p/x.cc", "");
  const auto b = folder.write("p/src/y.cc", "");
  const auto generated = folder.write("build/z.cc", "");
  EXPECT_EQ(project_root({generated, a, b}, {}), folder.path() / "p");
}

TEST(Project, RootIsTheCommonFolderWithoutOne) {
  const TempFolder folder;
  const auto a = folder.write("p/src/x.cc", "");
  const auto b = folder.write("p/build/y.cc", "");
  EXPECT_EQ(project_root({a, b}, {}), folder.path() / "p");
  EXPECT_EQ(project_root({a}, {}), folder.path() / "p" / "src");
}

TEST(Project, HeadersBesideTheSourcesBelongToIt) {
  const TempFolder folder;
  const auto source = folder.write("p/src/x.cc", "");
  folder.write("p/include/x.h", "");
  EXPECT_EQ(project_root({source}, {}), folder.path() / "p");
  const auto other = folder.write("p/project/y.cc", "");
  EXPECT_EQ(project_root({other}, {}), folder.path() / "p" / "project");
}

TEST(Project, FilesOfTheProject) {
  EXPECT_TRUE(is_project_file("/p/src/x.h", "/p"));
  EXPECT_FALSE(is_project_file("/pq/src/x.h", "/p"));
  EXPECT_FALSE(is_project_file("/usr/include/x.h", "/p"));
  EXPECT_FALSE(is_project_file("/p/build/_deps/fmt-src/x.h", "/p"));
  EXPECT_FALSE(is_project_file("/p/libtorch/include/torch/torch.h", "/p"));
  EXPECT_FALSE(is_project_file("/p/.venv/lib/python3/site-packages/torch/include/a.h", "/p"));
}

}  // namespace
}  // namespace xfer::lint
