#include "analyzer/driver/facts_store.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;

class FactsStoreTest : public testing::Test {
 protected:
  FactsStoreTest() : format_(models_, {}), source_(folder_.write("a.cc", "int x;\n")) {
    command_.file = source_;
    command_.directory = folder_.path();
    command_.arguments = {"clang++", "-DX"};
  }

  FactsStore store() { return FactsStore(folder_.path() / "cache", format_, folder_.path()); }

  FileMarks marks(const std::string& mark) { return {{source_.string(), mark}}; }
  std::string facts() {
    FileFacts one;
    one.file = "a.cc";
    one.errors.push_back({"a.cc", 1, 5, "no"});
    std::vector<FileFacts> all;
    all.push_back(std::move(one));
    return format_.to_bytes(all);
  }
  fs::path entry(const std::string& key) {
    return folder_.path() / "cache" / "facts" / (key + ".facts");
  }
  static void age(const fs::path& file, int hours) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  TempFolder folder_;
  analyzer::ModelSet models_;
  FactsFormat format_;
  fs::path source_;
  ParseCommand command_;
};

TEST_F(FactsStoreTest, GivesWhatWasKept) {
  FactsStore store = this->store();
  const std::string key = store.key(command_);
  EXPECT_FALSE(store.find(key));
  store.keep(key, facts(), marks(content_mark("int x;\n")), "");
  const auto found = this->store().find(key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, "a.cc");
  EXPECT_EQ(found->errors.front().message, "no");
  EXPECT_FALSE(found->unit);
}

TEST_F(FactsStoreTest, KeysDependOnTheCommandAndTheContent) {
  const std::string key = store().key(command_);
  EXPECT_EQ(key, store().key(command_));
  folder_.write("a.cc", "int y;\n");
  EXPECT_NE(key, store().key(command_));
  folder_.write("a.cc", "int x;\n");
  EXPECT_EQ(key, store().key(command_));
  command_.arguments.push_back("-DY");
  EXPECT_NE(key, store().key(command_));
  fs::remove(source_);
  EXPECT_EQ(store().key(command_), "");
}

TEST_F(FactsStoreTest, NothingFitsOnceAFileChanged) {
  FactsStore store = this->store();
  for (const std::string& mark : {content_mark("int y;\n"), std::string("-"), std::string("1 2.3"),
                                  std::string("changed"), std::string("?")}) {
    store.keep("k", facts(), marks(mark), "");
    EXPECT_FALSE(this->store().find("k")) << mark;
  }
  store.keep("k", facts(), marks("+"), "");
  EXPECT_TRUE(this->store().find("k"));
}

TEST_F(FactsStoreTest, SharedMarksHaveToFitAndToBeThere) {
  const std::string shared = to_lines(marks("+"));
  store().keep("k", facts(), {}, shared);
  EXPECT_TRUE(store().find("k"));
  for (const auto& item : fs::directory_iterator(folder_.path() / "cache" / "facts"))
    if (item.path().extension() == ".files") fs::remove(item.path());
  EXPECT_FALSE(store().find("k"));
  store().keep("k", facts(), {}, shared);
  EXPECT_TRUE(store().find("k"));
  store().keep("k", facts(), {}, to_lines(marks("-")));
  EXPECT_FALSE(store().find("k"));
}

TEST_F(FactsStoreTest, TrimRemovesTheLongestUnused) {
  FactsStore store = this->store();
  for (const char* key : {"a", "b", "c"}) {
    store.keep(key, facts(), marks("+"), "");
    age(entry(key), 9);
  }
  age(entry("c"), 8);
  EXPECT_TRUE(store.find("a")) << "used now";
  store.trim(2 * fs::file_size(entry("a")));
  EXPECT_TRUE(fs::exists(entry("a")));
  EXPECT_FALSE(fs::exists(entry("b")));
  EXPECT_TRUE(fs::exists(entry("c")));
}

TEST_F(FactsStoreTest, TrimRemovesWhatAKilledRunLeft) {
  FactsStore store = this->store();
  const std::string name = "cache/facts/k.facts.1-0.tmp";
  folder_.write(name, "half");
  store.trim(100);
  EXPECT_TRUE(fs::exists(folder_.path() / name)) << "its run may still write";
  age(folder_.path() / name, 2);
  store.trim(100);
  EXPECT_FALSE(fs::exists(folder_.path() / name));
}

TEST(FileMarksTest, LinesAndBack) {
  const FileMarks marks = {{"/a b", "-"}, {"/c", "1 2.000000003=00"}};
  EXPECT_EQ(marks_from_lines(to_lines(marks)), marks);
  EXPECT_EQ(marks_from_lines(""), FileMarks());
  for (const char* bad : {"x", "-\t/a", "\t/a\n", "-/a\n", "-\t/a\n-"})
    EXPECT_FALSE(marks_from_lines(bad)) << bad;
}

TEST(FileMarksTest, TimeAndContentBothHaveToFit) {
  const TempFolder folder;
  const fs::path file = folder.write("a", "text");
  fs::last_write_time(
      file, std::chrono::file_clock::from_sys(
                std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::seconds(1000))));
  const std::string time = time_mark(4, 1000, 0), content = content_mark("text");
  for (const std::string& mark : {time, content, time + content, std::string(kPresent)})
    EXPECT_TRUE(FilesNow().unchanged(file, mark)) << mark;
  const std::string other_time = time_mark(4, 1001, 0), other = content_mark("next");
  for (const std::string& mark :
       {other_time, other, other_time + content, time + other, std::string(kMissing)})
    EXPECT_FALSE(FilesNow().unchanged(file, mark)) << mark;
}

}  // namespace
}  // namespace xfer::lint
