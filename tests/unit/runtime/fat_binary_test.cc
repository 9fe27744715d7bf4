#include "src/fat_binary.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>

#include "fat_binary_writer.h"
#include "temp_file.h"

namespace xfer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Kind = FatEntry::Kind;
using test::entry;
using test::Packing;
using test::region;

TEST(FatBinary, GivesThePtxOfEveryRegion) {
  const std::string section =
      region(entry(Kind::kMachineCode, 75, "\177ELF", Packing::kNone)) +
      region(entry(Kind::kMachineCode, 80, "\177ELF", Packing::kNone) +
             entry(Kind::kPtx, 80, ".version 9.0 first", Packing::kZstd)) +
      std::string(16, '\0') +
      region(entry(Kind::kPtx, 90, ".version 9.0 second text", Packing::kZstd));
  EXPECT_THAT(ptx_of_section(section),
              ElementsAre(".version 9.0 first", ".version 9.0 second text"));
}

TEST(FatBinary, PlainTextIsTakenAsItIs) {
  const auto texts =
      ptx_of_section(region(entry(Kind::kPtx, 80, ".version 9.0 plain...", Packing::kNone)));
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_TRUE(texts[0].starts_with(".version 9.0 plain..."));
}

TEST(FatBinary, CodeForAnArchitectureWithoutPtxHidesTheRest) {
  EXPECT_THAT(ptx_of_section(region(entry(Kind::kMachineCode, 80, "code", Packing::kNone) +
                                    entry(Kind::kMachineCode, 90, "code", Packing::kNone) +
                                    entry(Kind::kPtx, 90, ".version 9.0", Packing::kZstd))),
              IsEmpty());
}

TEST(FatBinary, BadInputGivesFewerTexts) {
  const std::string good = region(entry(Kind::kMachineCode, 80, "code", Packing::kNone) +
                                  entry(Kind::kPtx, 80, std::string(500, 'p'), Packing::kZstd));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_THAT(ptx_of_section(good.substr(0, size)), IsEmpty());
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      bad[random() % bad.size()] = static_cast<char>(random());
    ptx_of_section(bad);
  }
}

TEST(FatBinary, FilesWithoutDeviceCode) {
  EXPECT_THAT(ptx_of_file("/proc/self/exe", ""), IsEmpty());
  EXPECT_THAT(ptx_of_file("/no/such/file", ""), IsEmpty());
  EXPECT_THAT(ptx_of_file("/", ""), IsEmpty());
  EXPECT_THAT(ptx_of_file("/proc/self/cmdline", ""), IsEmpty());
  EXPECT_THAT(ptx_of_file("/dev/zero", ""), IsEmpty());
}

// A trace from elsewhere may name a pipe that nobody writes to.
TEST(FatBinary, APipe) {
  const test::TempFile file;
  std::filesystem::remove(file.path());
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  EXPECT_THAT(ptx_of_file(file.path(), ""), IsEmpty());
}

}  // namespace
}  // namespace xfer
