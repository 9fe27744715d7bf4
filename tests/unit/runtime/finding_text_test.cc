// The words of a finding: what happened, and what to do, in one plain sentence each.

#include "src/finding_text.h"

#include <gtest/gtest.h>

namespace xfer {
namespace {

EngineFinding found(Rule rule, Reason reason, std::int16_t device, std::int16_t source) {
  EngineFinding finding;
  finding.rule = rule;
  finding.reason = reason;
  finding.device = device;
  finding.source_device = source;
  finding.smallest_bytes = finding.largest_bytes = 4096;
  finding.cost.count = 2;
  return finding;
}

TEST(FindingText, ACopyOfWhatWasJustFreed) {
  EngineFinding again = found(Rule::kRepeatedTransfer, Reason::kFreedUnchanged, 0, -1);
  again.copies_at_site = 5;
  EXPECT_EQ(message_of(again),
            "the same 4 KiB are copied to cuda:0 again (twice) although an identical copy there "
            "had just been freed");
  EXPECT_EQ(remedy_of(again), "keep the copy on the device instead of freeing it");
  again.copies_at_site = 3;
  EXPECT_EQ(
      message_of(again),
      "the same 4 KiB are copied to cuda:0 again (twice) although this line uploads nothing else");
  EXPECT_EQ(remedy_of(again), "upload it once, before the loop, and keep it on the device");
  again.renews = true;
  EXPECT_EQ(remedy_of(again), "keep the copy on the device instead of freeing it");
}

TEST(FindingText, ARoundTripFromTheHost) {
  const EngineFinding trip = found(Rule::kRoundTrip, Reason::kSentAndReturned, -1, 0);
  EXPECT_EQ(message_of(trip),
            "4 KiB are copied from the host to cuda:0 and back unchanged (twice)");
  EXPECT_EQ(remedy_of(trip), "use the host's own copy, or leave the data on the device");
  EXPECT_EQ(about_the_other(trip), "uploaded here");
}

TEST(FindingText, ARoundTripFromADevice) {
  const EngineFinding trip = found(Rule::kRoundTrip, Reason::kReturnedInPlace, 0, -1);
  EXPECT_EQ(message_of(trip),
            "4 KiB are copied from cuda:0 to the host and back unchanged (twice)");
  EXPECT_EQ(remedy_of(trip), "skip the upload: the device still has this data");
  EXPECT_EQ(about_the_other(trip), "downloaded here");
}

TEST(FindingText, ATripThroughTheHost) {
  const EngineFinding trip = found(Rule::kRoundTrip, Reason::kThroughHost, 1, 0);
  EXPECT_EQ(message_of(trip),
            "4 KiB are copied from cuda:0 to the host and on to cuda:1 unchanged (twice)");
  EXPECT_EQ(about_the_other(trip), "downloaded here");
}

TEST(FindingText, ASyncThatOrdersNothing) {
  const EngineFinding sync = found(Rule::kNeedlessSync, Reason::kNothingToSee, 0, -1);
  EXPECT_EQ(
      message_of(sync),
      "the host waits for cuda:0, but no result reaches the host before its next sync (twice)");
  EXPECT_EQ(remedy_of(sync), "remove this sync: the stream already orders the work");
}

TEST(FindingText, AKernelThatIsNotOver) {
  EngineFinding early = found(Rule::kAsyncSourceReuse, Reason::kHostWritesPending, 0, -1);
  EXPECT_EQ(message_of(early),
            "the host writes memory that an asynchronous copy of 4 KiB to cuda:0 may still be "
            "reading (twice)");
  early.early = EarlyWork::kKernel;
  EXPECT_EQ(message_of(early),
            "the host writes memory that a kernel or graph on cuda:0 may still be reading (twice)");
  EXPECT_EQ(about_the_other(early), "the kernel or graph is launched here");
}

TEST(FindingText, AHiddenWaitInEachStepIsMoreThanAdvice) {
  EngineFinding wait = found(Rule::kPageableAsync, Reason::kWaitingDownload, -1, 0);
  EXPECT_EQ(severity_of(wait), Severity::kAdvice) << "twice";
  wait.cost.count = 3;
  EXPECT_EQ(severity_of(wait), Severity::kWarning);
  wait.reason = Reason::kStagedUpload;
  EXPECT_EQ(severity_of(wait), Severity::kAdvice);
}

TEST(FindingText, MemoryAndStreamsOfAnotherDevice) {
  EXPECT_EQ(message_of(found(Rule::kWrongCurrentDevice, Reason::kMemoryOfOther, 0, 1)),
            "a kernel on cuda:0 gets memory of cuda:1, which it cannot access (twice)");
  EXPECT_EQ(message_of(found(Rule::kWrongCurrentDevice, Reason::kStreamOfOther, 0, 1)),
            "a kernel on cuda:0 is launched on a stream of cuda:1 (twice)");
}

}  // namespace
}  // namespace xfer
