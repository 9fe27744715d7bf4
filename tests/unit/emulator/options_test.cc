#include "machine/options.h"

#include <gmock/gmock.h>

namespace xfer::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options parse(const char* emulate, const char* options, std::vector<std::string>* complaints) {
  return parse_options(emulate, options, complaints);
}

TEST(Options, NothingIsEmulatedUnlessAskedFor) {
  std::vector<std::string> complaints;
  EXPECT_EQ(parse(nullptr, nullptr, &complaints).devices, 0);
  EXPECT_EQ(parse("", "", &complaints).devices, 0);
  EXPECT_THAT(complaints, IsEmpty());
}

TEST(Options, ReadsEveryKeyAndLeavesThoseOfOtherToolsAlone) {
  std::vector<std::string> complaints;
  const Options options =
      parse("8",
            "hash=0:emulate_memory=64m:emulate_schedule=random:emulate_seed=42:emulate_peer=0:"
            "emulate_capability=8.6:emulate_summary=0:emulate_execute=host:emulate_touches=0:"
            "emulate_missing=nan:emulate_kernel_limit=0:emulate_threads=3:emulate_cache=/a/b:"
            "emulate_kernels=a.so,b.so",
            &complaints);
  EXPECT_THAT(complaints, IsEmpty());
  EXPECT_EQ(options.devices, 8);
  EXPECT_EQ(options.memory, std::uint64_t{64} << 20);
  EXPECT_EQ(options.schedule, Schedule::kRandom);
  EXPECT_EQ(options.seed, 42u);
  EXPECT_FALSE(options.peer);
  EXPECT_EQ(options.capability_major, 8);
  EXPECT_EQ(options.capability_minor, 6);
  EXPECT_FALSE(options.summary);
  EXPECT_EQ(options.execute, Execute::kHost);
  EXPECT_FALSE(options.touches);
  EXPECT_TRUE(options.missing_is_nan);
  EXPECT_EQ(options.cache, "/a/b");
  EXPECT_EQ(options.threads, 3u);
  EXPECT_EQ(options.kernel_seconds, 0u);
  EXPECT_EQ(options.kernels, "a.so,b.so");
}

TEST(Options, OneLineForWhatIsNotUnderstoodAndTheDefaultStays) {
  for (const char* text : {"emulate_memory=lots", "emulate_memory=0", "emulate_memory=99999999g",
                           "emulate_schedule=sometimes", "emulate_seed=x", "emulate_peer=yes",
                           "emulate_capability=9", "emulate_summary=", "emulate_execute=all",
                           "emulate_kernel_limit=-1", "emulate_missing=one", "emulate_bogus=1"}) {
    std::vector<std::string> complaints;
    const Options options = parse("1", text, &complaints);
    ASSERT_EQ(complaints.size(), 1u) << text;
    EXPECT_THAT(complaints[0], HasSubstr("emulate_")) << text;
    EXPECT_EQ(options.memory, Options{}.memory);
    EXPECT_EQ(options.schedule, Schedule::kEager);
    EXPECT_EQ(options.execute, Execute::kPtx);
  }
}

TEST(Options, AsksForTheOptionThatWasMeant) {
  std::vector<std::string> complaints;
  parse("1", "emulate_shedule=lazy", &complaints);
  EXPECT_THAT(complaints, ElementsAre("XFERCHECK_OPTIONS: there is no option 'emulate_shedule'; "
                                      "did you mean 'emulate_schedule'? (help=1 lists them)"));
}

TEST(Options, DeviceCountMustBeANumberInRange) {
  for (const char* text : {"two", "-1", "65", "1x"}) {
    std::vector<std::string> complaints;
    EXPECT_EQ(parse(text, nullptr, &complaints).devices, 0);
    EXPECT_THAT(complaints, ElementsAre("XFERCHECK_EMULATE: expected 0 to 64 devices, got '" +
                                        std::string(text) + "'; no device is emulated"));
  }
}

}  // namespace
}  // namespace xfer::emulator
