#include <gtest/gtest.h>

#include "src/trace_stats.h"
#include "text_trace.h"

namespace xfer::test {
namespace {

/// Texts by their numbers, as "kernel 7".
class NumberedTexts : public Trace {
 public:
  bool next(Event&) override { return false; }
  bool complete() const override { return true; }
  const std::vector<std::string>& problems() const override { return problems_; }
  std::string_view string(std::uint32_t id) const override {
    return text_ = "kernel " + std::to_string(id);
  }
  std::span<const TraceFrame> stack(std::uint32_t) const override { return {}; }
  std::vector<TracePythonFrame> python_stack(std::uint32_t) const override { return {}; }
  const TraceModule* module(std::uint32_t) const override { return nullptr; }
  const Metadata& metadata() const override { return metadata_; }
  std::vector<std::string> command_line() const override { return {}; }

 private:
  std::vector<std::string> problems_;
  Metadata metadata_;
  mutable std::string text_;
};

nlohmann::ordered_json stats_of(const std::string& trace) {
  TraceStats stats;
  for (Event event : parse_trace(trace)) {
    if (event.kind == EventKind::kLaunch) event.name = 7;
    stats.add(event);
  }
  return stats.to_json(NumberedTexts());
}

TEST(DeviceUse, CopiesAndKernelsOfAllStreamsAreOneTime) {
  const nlohmann::ordered_json stats = stats_of(
      "alloc A 4096\nh2d A x 4096 id=1 ns=10000\nlaunch rw=A id=2 ns=10000\nlaunch rw=A id=3 "
      "stream=1 ns=100000\ntime 1 5000 until 1+6000\ntime 2 20000 until 2+40000\n"
      "time 3 20000 until 3+40000");
  // From 1 to 6 us, from 30 to 60 us.
  ASSERT_EQ(stats["devices"].size(), 1u);
  EXPECT_EQ(stats["devices"][0]["device"], 0);
  EXPECT_EQ(stats["devices"][0]["in_use_ns"], 59'000);
  EXPECT_EQ(stats["devices"][0]["idle_ns"], 59'000 - 5'000 - 30'000);
  ASSERT_EQ(stats["kernels_by_time"].size(), 1u);
  EXPECT_EQ(stats["kernels_by_time"][0]["name"], "kernel 7");
  EXPECT_EQ(stats["kernels_by_time"][0]["count"], 2);
  EXPECT_EQ(stats["kernels_by_time"][0]["device_ns"], 40'000);
}
TEST(DeviceUse, WithoutTimesThereIsNone) {
  EXPECT_FALSE(stats_of("alloc A 4096\nlaunch rw=A").contains("devices"));
}

}  // namespace
}  // namespace xfer::test
