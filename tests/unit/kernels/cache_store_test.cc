#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "kernels/cache/store.h"

namespace xfer::kernels {
namespace {

namespace fs = std::filesystem;
using testing::Optional;

Digest key(const std::string& of) { return digest_of({of}); }

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

class CacheStore : public testing::Test {
 protected:
  CacheStore() {
    std::string name = std::string(P_tmpdir) + "/xfer-store-XXXXXX";
    base_ = mkdtemp(name.data());
    directory_ = base_ / "xfercheck" / "kernels";
  }
  ~CacheStore() override { fs::remove_all(base_); }

  Store store(std::uint64_t most = Store::kMostBytes) const { return Store(directory_, most); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(directory_)) all.push_back(entry.path());
    return all;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const fs::path& file : files()) sum += fs::file_size(file);
    return sum;
  }
  /// Makes a file look as if it was last used that long ago.
  static void age(const fs::path& file, int seconds) {
    const timespec then{time(nullptr) - seconds, 0};
    const timespec both[2] = {then, then};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), both, 0), 0);
  }

  fs::path base_, directory_;
};

TEST_F(CacheStore, GivesBackWhatItGot) {
  Store own = store();
  EXPECT_EQ(own.get(key("a")), std::nullopt);
  own.put(key("a"), "one");
  own.put(key("b"), std::string("t\0wo", 4));
  own.put(key("c"), "");
  EXPECT_THAT(store().get(key("a")), Optional(std::string("one")));
  EXPECT_THAT(store().get(key("b")), Optional(std::string("t\0wo", 4)));
  EXPECT_THAT(store().get(key("c")), Optional(std::string()));
  own.put(key("a"), "another");
  EXPECT_THAT(store().get(key("a")), Optional(std::string("another")));
}

TEST_F(CacheStore, OnlyTheOwnerMayLook) {
  store().put(key("a"), "one");
  EXPECT_EQ(fs::status(directory_).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(directory_.parent_path()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(files().at(0)).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CacheStore, IgnoresWhatIsDamaged) {
  store().put(key("a"), "one, and more than that");
  const fs::path file = files().at(0);
  const std::string whole = text_of(file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string wrong = whole;
    wrong[at] ^= 1;
    write(file, wrong);
    EXPECT_EQ(store().get(key("a")), std::nullopt) << "byte " << at;
    write(file, whole.substr(0, at));
    EXPECT_EQ(store().get(key("a")), std::nullopt) << "cut at " << at;
  }
  write(file, whole + "x");
  EXPECT_EQ(store().get(key("a")), std::nullopt);
  store().put(key("a"), "new");
  EXPECT_THAT(store().get(key("a")), Optional(std::string("new")));
}

TEST_F(CacheStore, AFileIsOfItsKeyAlone) {
  store().put(key("a"), "one");
  const fs::path a = files().at(0);
  store().put(key("b"), "two");
  const fs::path b = files().at(0) == a ? files().at(1) : files().at(0);
  fs::copy_file(a, b, fs::copy_options::overwrite_existing);
  EXPECT_EQ(store().get(key("b")), std::nullopt);
}

TEST_F(CacheStore, TrustsNothingThatOthersMayWrite) {
  store().put(key("a"), "one");
  const fs::path file = files().at(0);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(store().get(key("a")), std::nullopt);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(store().get(key("a")));
  fs::permissions(directory_, fs::perms::group_write, fs::perm_options::add);
  EXPECT_EQ(store().get(key("a")), std::nullopt);
  store().put(key("b"), "two");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CacheStore, TrustsNoOtherOwner) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  store().put(key("a"), "one");
  ASSERT_EQ(chown(directory_.c_str(), 1, 1), 0);
  EXPECT_EQ(store().get(key("a")), std::nullopt);
}

TEST_F(CacheStore, KeepsNothingWhereItCannot) {
  write(base_ / "file", "");
  Store own((base_ / "file" / "kernels").string());
  own.put(key("a"), "one");
  EXPECT_EQ(own.get(key("a")), std::nullopt);
}

TEST_F(CacheStore, WhatIsLongestUnusedGoesFirst) {
  constexpr std::uint64_t kMost = 64 << 10;
  const std::string content(3000, 'x');
  for (int i = 0; i < 20; ++i) store().put(key(std::to_string(i)), content);
  for (const fs::path& file : files()) age(file, 1000);
  ASSERT_TRUE(store().get(key("3")));  // used
  Store small = store(kMost);
  small.put(key("new"), content);  // 21 of them fit
  EXPECT_EQ(files().size(), 21u);
  for (int i = 20; i < 24; ++i) small.put(key(std::to_string(i)), content);
  EXPECT_LE(bytes(), kMost + kMost / 8);
  EXPECT_LT(files().size(), 24u);
  EXPECT_GT(files().size(), 15u);
  EXPECT_TRUE(store().get(key("3")));
  EXPECT_TRUE(store().get(key("23")));
}

TEST_F(CacheStore, RemovesWhatProcessesLeftUnfinishedAndNothingElse) {
  store().put(key("a"), "one");
  const fs::path left = directory_ / ".unfinished-1-0-5", now = directory_ / ".unfinished-2-0-5";
  const fs::path other = directory_ / "letter.txt";
  for (const fs::path& file : {left, now, other}) write(file, std::string(100'000, 'x'));
  age(left, 10'000);
  age(other, 10'000);
  store(64 << 10).put(key("b"), "two");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(now));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(store().get(key("a")));
}

TEST_F(CacheStore, ManyWriteTheSameAndReadItWhole) {
  const std::string content(200'000, 'y');
  std::vector<pid_t> writers;
  for (int i = 0; i < 2; ++i) {
    writers.push_back(fork());
    if (writers.back() != 0) continue;
    for (int round = 0; round < 100; ++round) store().put(key("same"), content);
    _exit(0);
  }
  Store own = store();
  std::thread writer([&] {
    for (int round = 0; round < 100; ++round) own.put(key("same"), content);
  });
  for (int round = 0; round < 300; ++round)
    EXPECT_EQ(own.get(key("same")).value_or(content), content);
  writer.join();
  for (const pid_t child : writers) waitpid(child, nullptr, 0);
  EXPECT_THAT(own.get(key("same")), Optional(content));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CacheStore, AWriterThatIsKilledLeavesNothingHalf) {
  const std::string content(4 << 20, 'z');
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0)
      for (;;) store().put(key("same"), content);
    usleep(static_cast<useconds_t>(3000 + i * 1700));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto found = store().get(key("same"));
    EXPECT_EQ(found.value_or(content), content);
  }
}

}  // namespace
}  // namespace xfer::kernels
