#include "machine/kernel_cache.h"

#include <gmock/gmock.h>

namespace xfer::emulator {
namespace {

Options parse(const char* options) {
  std::vector<std::string> complaints;
  return parse_options("1", options, &complaints);
}

TEST(KernelCache, IsAmongTheUsersCaches) {
  const Options options = parse(nullptr);
  EXPECT_EQ(kernel_cache_directory(options, "/c", "/home/me"), "/c/xfercheck/kernels");
  EXPECT_EQ(kernel_cache_directory(options, nullptr, "/home/me"),
            "/home/me/.cache/xfercheck/kernels");
}

TEST(KernelCache, IsNowhereForAUserWithoutAHome) {
  const Options options = parse(nullptr);
  EXPECT_EQ(kernel_cache_directory(options, nullptr, nullptr), "");
  EXPECT_EQ(kernel_cache_directory(options, "caches", "me"), "");
}

TEST(KernelCache, IsWhereTheOptionSays) {
  EXPECT_EQ(kernel_cache_directory(parse("emulate_cache=/k"), "/c", "/home/me"), "/k");
  EXPECT_EQ(kernel_cache_directory(parse("emulate_cache=0"), "/c", "/home/me"), "");
}

TEST(KernelCache, OptionNamesADirectory) {
  std::vector<std::string> complaints;
  EXPECT_EQ(parse_options("1", "emulate_cache=off", &complaints).cache, std::nullopt);
  EXPECT_THAT(complaints, testing::ElementsAre(testing::HasSubstr("an absolute directory, or 0")));
}

}  // namespace
}  // namespace xfer::emulator
