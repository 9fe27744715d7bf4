#include "pending_downloads.h"

#include <gtest/gtest.h>

namespace xfer::tracer {
namespace {

Download download(std::uint64_t number, std::uint64_t address, std::uint64_t bytes,
                  std::uint64_t stream, std::int16_t device = 0, std::uint32_t thread = 1) {
  Download result;
  result.event.correlation = number;
  result.event.address = address;
  result.event.stream = stream;
  result.event.thread = thread;
  result.event.source_device = device;
  result.transfer.width = bytes;
  result.transfer.destination.address = address;
  return result;
}

Event recorded(std::uint64_t event_id, std::uint64_t stream) {
  Event event;
  event.event_id = event_id;
  event.stream = stream;
  event.thread = 1;
  return event;
}

TEST(PendingDownloads, AStreamSyncCoversItsStreamOnly) {
  PendingDownloads pending;
  pending.add(download(1, 0x1000, 8, 5));
  pending.add(download(2, 0x2000, 8, 6));
  const auto covered = pending.take_stream(0, 5, 1);
  ASSERT_EQ(covered.size(), 1U);
  EXPECT_EQ(covered[0].event.correlation, 1U);
  EXPECT_TRUE(pending.take_stream(0, 5, 1).empty());
  EXPECT_EQ(pending.take_device(0).size(), 1U);
}

TEST(PendingDownloads, DefaultStreamsOfTwoDevicesAreTwo) {
  PendingDownloads pending;
  pending.add(download(1, 0x1000, 8, 0, 0));
  pending.add(download(2, 0x2000, 8, 0, 1));
  EXPECT_EQ(pending.take_stream(1, 0, 1).size(), 1U);
  EXPECT_EQ(pending.take_device(1).size(), 0U);
  EXPECT_EQ(pending.take_device(0).size(), 1U);
}

TEST(PendingDownloads, ThreadsHaveDefaultStreamsOfTheirOwn) {
  PendingDownloads pending;
  pending.add(download(1, 0x1000, 8, kThreadStream, 0, 1));
  EXPECT_TRUE(pending.take_stream(0, kThreadStream, 2).empty());
  EXPECT_EQ(pending.take_stream(0, kThreadStream, 1).size(), 1U);
}

TEST(PendingDownloads, AnEventCoversWhatCameBeforeItsRecord) {
  PendingDownloads pending;
  pending.add(download(1, 0x1000, 8, 5));
  pending.record_event(recorded(77, 5));
  pending.add(download(2, 0x2000, 8, 5));
  const auto covered = pending.take_event(77);
  ASSERT_EQ(covered.size(), 1U);
  EXPECT_EQ(covered[0].event.correlation, 1U);
  EXPECT_TRUE(pending.take_event(78).empty());
  EXPECT_EQ(pending.take_device(0).size(), 1U);
}

TEST(PendingDownloads, AnotherCopyIntoTheSameBytesDropsTheFirst) {
  PendingDownloads pending;
  pending.add(download(1, 0x1000, 16, 5));
  pending.add(download(2, 0x1008, 16, 5));
  pending.drop_range(0x1018, 0x2000);
  const auto left = pending.take_device(0);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].event.correlation, 2U);
  pending.add(download(3, 0x1000, 16, 5));
  pending.drop_range(0x100f, 0x1010);
  EXPECT_TRUE(pending.take_device(0).empty());
}

TEST(PendingDownloads, IsBounded) {
  PendingDownloads pending(2);
  for (std::uint64_t n = 1; n <= 3; ++n) pending.add(download(n, n * 0x1000, 8, 5));
  const auto left = pending.take_device(0);
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].event.correlation, 2U);
}

TEST(PendingDownloads, ExtentOfPitchedSides) {
  Transfer transfer;
  transfer.width = 10;
  transfer.rows = 3;
  transfer.slices = 2;
  CopySide side;
  EXPECT_EQ(extent(transfer, side), 60U);
  side.pitch = 16;
  side.slice_pitch = 64;
  EXPECT_EQ(extent(transfer, side), 64U + 32 + 10);
  transfer.rows = 0;
  EXPECT_EQ(extent(transfer, side), 0U);
}

}  // namespace
}  // namespace xfer::tracer
