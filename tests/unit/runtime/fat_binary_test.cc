#include "src/fat_binary.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zstd.h>

#include <cstdint>
#include <filesystem>
#include <random>

#include "temp_file.h"

namespace xfer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

enum Kind : std::uint16_t { kPtx = 1, kMachineCode = 2 };

std::string entry(Kind kind, std::uint32_t architecture, std::string payload, bool compressed) {
  if (compressed) {
    std::string frame(ZSTD_compressBound(payload.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), payload.data(), payload.size(), 3));
    payload = frame;
  }
  const auto size = static_cast<std::uint32_t>(payload.size());
  payload.resize((payload.size() + 7) / 8 * 8);
  std::string out;
  put<std::uint16_t>(out, kind);
  put<std::uint16_t>(out, 0x101);
  put<std::uint32_t>(out, 0x40);
  put<std::uint64_t>(out, payload.size());
  put<std::uint32_t>(out, compressed ? size : 0);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, 9);
  put<std::uint32_t>(out, architecture);
  out.resize(0x40);
  return out + payload;
}

std::string region(const std::string& entries) {
  std::string out;
  put<std::uint32_t>(out, 0xba55ed50);
  put<std::uint16_t>(out, 1);
  put<std::uint16_t>(out, 16);
  put<std::uint64_t>(out, entries.size());
  return out + entries;
}

TEST(FatBinary, GivesThePtxOfEveryRegion) {
  const std::string section = region(entry(kMachineCode, 75,
                                           "\x7f"
                                           "ELF",
                                           false)) +
                              region(entry(kMachineCode, 80,
                                           "\x7f"
                                           "ELF",
                                           false) +
                                     entry(kPtx, 80, ".version 9.0 first", true)) +
                              std::string(16, '\0') +
                              region(entry(kPtx, 90, ".version 9.0 second text", true));
  EXPECT_THAT(ptx_of_section(section),
              ElementsAre(".version 9.0 first", ".version 9.0 second text"));
}

TEST(FatBinary, PlainTextIsTakenAsItIs) {
  const auto texts = ptx_of_section(region(entry(kPtx, 80, ".version 9.0 plain...", false)));
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_TRUE(texts[0].starts_with(".version 9.0 plain..."));
}

TEST(FatBinary, CodeForAnArchitectureWithoutPtxHidesTheRest) {
  EXPECT_THAT(ptx_of_section(region(entry(kMachineCode, 80, "code", false) +
                                    entry(kMachineCode, 90, "code", false) +
                                    entry(kPtx, 90, ".version 9.0", true))),
              IsEmpty());
}

TEST(FatBinary, BadInputGivesFewerTexts) {
  const std::string good =
      region(entry(kMachineCode, 80, "code", false) + entry(kPtx, 80, std::string(500, 'p'), true));
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
