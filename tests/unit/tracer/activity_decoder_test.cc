#include "activity_decoder.h"

#include <gtest/gtest.h>

namespace xfer::tracer {
namespace {

template <typename Record>
const CUpti_Activity& as_record(const Record& record) {
  return reinterpret_cast<const CUpti_Activity&>(record);
}

TEST(ActivityDecoder, ACopyGivesItsDeviceTime) {
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.bytes = 4096;
  copy.start = 1000;
  copy.end = 1500;
  copy.deviceId = 2;
  copy.correlationId = 7;
  copy.runtimeCorrelationId = 9;
  const auto event = decode_activity(as_record(copy), 50);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, EventKind::kDeviceTime);
  EXPECT_EQ(event->correlation, 9U);
  EXPECT_EQ(event->begin_ns, 1050U);
  EXPECT_EQ(event->end_ns, 1550U);
  EXPECT_EQ(event->device, 2);
  copy.runtimeCorrelationId = 0;  // made by a driver call
  EXPECT_EQ(decode_activity(as_record(copy), 0)->correlation, 7U);
}

TEST(ActivityDecoder, ACopyOfAGraphSaysWhichWayItWent) {
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.start = copy.end = 1;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  EXPECT_EQ(decode_activity(as_record(copy), 0)->space, Space::kUnknown);  // its call told it
  copy.graphNodeId = 1;
  EXPECT_EQ(decode_activity(as_record(copy), 0)->source_space, Space::kPinned);
  EXPECT_EQ(decode_activity(as_record(copy), 0)->space, Space::kDevice);
}

TEST(ActivityDecoder, OtherWork) {
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.start = 5;
  set.end = 6;
  set.correlationId = 3;
  EXPECT_EQ(decode_activity(as_record(set), 0)->correlation, 3U);
  CUpti_ActivityKernel10 kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.start = 5;
  kernel.end = 9;
  kernel.correlationId = 4;
  EXPECT_EQ(decode_activity(as_record(kernel), 0)->end_ns, 9U);
  CUpti_ActivityMemcpyPtoP4 peer{};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.start = 1;
  peer.end = 2;
  peer.correlationId = 5;
  EXPECT_EQ(decode_activity(as_record(peer), 0)->correlation, 5U);
}

TEST(ActivityDecoder, LostTimesAndOtherRecordsAreNothing) {
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  EXPECT_FALSE(decode_activity(as_record(copy), 0).has_value());
  copy.start = 10;
  copy.end = 4;
  EXPECT_FALSE(decode_activity(as_record(copy), 0).has_value());
  CUpti_ActivityAPI api{};
  api.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  EXPECT_FALSE(decode_activity(as_record(api), 0).has_value());
}

}  // namespace
}  // namespace xfer::tracer
