#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(RepeatedTransfer, DestinationHoldsTheBytesAlready) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 4
  h2d A x 256 #w
  launch r=A
end
free A)"),
              ElementsAre("3: repeated-transfer proven held-already 3x 768 B (3)"));
}

TEST(RepeatedTransfer, PartOfABuffer) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A+64 x 100 #w
launch r=A
h2d A x 64 #other
h2d A+64 x+8 100 #w
launch r=A)"),
              ElementsAre("5: repeated-transfer proven held-already 1x 100 B (2)"));
}

TEST(RepeatedTransfer, ContentThatCameByADeviceCopy) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #w
d2d B A 256
h2d B x 256 #w
launch r=A r=B)"),
              ElementsAre("5: repeated-transfer proven held-already 1x 256 B (4)"));
}

TEST(RepeatedTransfer, SentToAnotherDeviceTwice) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256 dev=1
h2d A x 256 #w
launch r=A
d2d B A 256
launch r=B dev=1
d2d B A 256
launch r=B dev=1)"),
              ElementsAre("7: repeated-transfer proven held-already 1x 256 B (5)"));
}

TEST(RepeatedTransfer, HeldInAnotherBufferAllTheWhile) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w
launch r=A
repeat 3
  alloc B 256
  h2d B x 256 #w
  launch r=B
  free B
end)"),
              ElementsAre("6: repeated-transfer content-duplicate held-elsewhere 3x 768 B (2)"));
}

// Each time into a buffer of its own, which a kernel only reads.
std::string into_new_buffers(int times, const std::string& bytes = "256",
                             const std::string& content = "#w") {
  return "alloc B 256\nrepeat " + std::to_string(times) + "\nalloc A " + bytes +
         " at=1{i}\nh2d A w " + bytes + ' ' + content + " at=4\nlaunch r=A w=B\nfree A\nend\n";
}

TEST(RepeatedTransfer, FreedUnchangedEachTime) {
  EXPECT_THAT(findings_of(into_new_buffers(4)),
              ElementsAre("4: repeated-transfer content-duplicate freed-unchanged 3x 768 B (4)"));
}

TEST(RepeatedTransfer, FreedUnchangedOnceIsAdvice) {
  EXPECT_THAT(findings_of(into_new_buffers(2, "8192")),
              ElementsAre("4: repeated-transfer look-alike freed-unchanged 1x 8192 B (4)"));
}

// The one large tensor of a model that is built and moved again, the small ones from elsewhere.
TEST(RepeatedTransfer, MostOfWhatALineSends) {
  EXPECT_THAT(
      findings_of(R"(alloc B 256
repeat 4
  alloc A 100000 at=1{i}
  h2d A w 100000 #w at=4
  launch r=A w=B
  repeat 9
    h2d B b 64 #b{i} at=4
    launch r=B w=B
  end
  free A
end)"),
      ElementsAre("4: repeated-transfer content-duplicate freed-unchanged 3x 300000 B (4)"));
}

// Lengths of episodes, say.
TEST(RepeatedTransferSilent, AFewBytesThatRepeatByChance) {
  for (const char* bytes : {"48", "216", "2000"}) {
    const std::string same = into_new_buffers(2, bytes);
    EXPECT_THAT(findings_of(same), IsEmpty()) << bytes << " once";
    EXPECT_THAT(findings_of(same + into_new_buffers(4, bytes, "#new{i}")), IsEmpty()) << bytes;
    EXPECT_THAT(findings_of(into_new_buffers(4, bytes) + into_new_buffers(6, bytes, "#new{i}")),
                IsEmpty())
        << bytes << " thrice of ten";
  }
}

TEST(RepeatedTransfer, DownloadedTwice) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #r
d2h x A 256 #r)"),
              ElementsAre("4: repeated-transfer content-duplicate downloaded-before 1x 256 B (3)"));
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #r
d2h x A 256 #r unchanged)"),
              ElementsAre("4: repeated-transfer proven downloaded-before 1x 256 B (3)"));
}

TEST(RepeatedTransfer, AScalarThatIsDownloadedTwice) {
  const auto read_twice = [](int times) {
    return findings_of("alloc A 256\nrepeat " + std::to_string(times) +
                       "\nlaunch w=A\nd2h x A 4 #r{i}\nd2h y A 4 #r{i} at=5\nend");
  };
  EXPECT_THAT(
      read_twice(4),
      ElementsAre("5: repeated-transfer content-duplicate downloaded-elsewhere 4x 16 B (4)"));
  EXPECT_THAT(read_twice(3), IsEmpty()) << "now and then, it costs nothing";
}

TEST(RepeatedTransfer, DownloadedTwiceToTwoPlaces) {
  EXPECT_THAT(
      findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #r
launch r=A
d2h y A 256 #r)"),
      ElementsAre("5: repeated-transfer content-duplicate downloaded-elsewhere 1x 256 B (3)"));
  for (const char* between : {"launch rw=A", "launch all", "set A 8", "h2d A+8 q 8 #q"})
    EXPECT_THAT(findings_of("alloc A 256\nlaunch w=A\nd2h x A 256 #r\n" + std::string(between) +
                            "\nd2h y A 256 #r\nlaunch rw=A"),
                IsEmpty())
        << between;
}

TEST(RepeatedTransfer, AsynchronousDownloadsAreJudgedWhenTheirContentIsKnown) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 async id=1
sync device
content 1 #r
d2h x A 256 async id=2
sync device
content 2 #r)"),
              ElementsAre("6: repeated-transfer content-duplicate downloaded-before 1x 256 B (3)"));
}

TEST(RepeatedTransfer, CountsTimeOnHostAndDevice) {
  Engine engine;
  for (const Event& event : parse_trace(R"(alloc A 256
h2d A x 256 #w
launch r=A
h2d A x 256 #w ns=700 id=1
time 1 50
h2d A x 256 #w ns=300 id=2 at=4
time 2 60)"))
    engine.add(event);
  const auto findings = engine.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cost.host_ns, 1000u);
  EXPECT_EQ(findings[0].cost.device_ns, 110u);
  EXPECT_EQ(findings[0].copies_at_site, 2u);
}

TEST(RepeatedTransfer, CheckedDestinationAfterUnknownKernels) {
  const auto with = [](const std::string& kernel) {
    return findings_of("alloc A 256\nrepeat 3\nh2d A x 256 #w unchanged\nlaunch " + kernel +
                       "\nend");
  };
  EXPECT_THAT(with("all"), ElementsAre("3: repeated-transfer proven held-already 2x 512 B (3)"));
  EXPECT_THAT(with("rw=A"), IsEmpty());  // it says that it may write: that is how arrays are reset
}

TEST(RepeatedTransfer, BlocksOfAnAllocatorOfTheProgram) {
  EXPECT_THAT(findings_of(R"(alloc P 4096
alloc P 256 block
repeat 4
  alloc P+512 256 block
  h2d P+512 w 256 #w
  launch r=P+512 w=P
  free P+512 block
end
free P block
free P)"),
              ElementsAre("5: repeated-transfer content-duplicate freed-unchanged 3x 768 B (5)"));
}

// Look-alikes that must stay silent.

TEST(RepeatedTransferSilent, BlocksThatAKernelMayHaveWritten) {
  EXPECT_THAT(findings_of(R"(alloc P 4096
repeat 4
  alloc P+512 256 block
  h2d P+512 w 256 #w
  launch rw=P+512
  free P+512 block
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, PartsOfAnArrayThatWasFilledWithOneValue) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #ones
launch r=A
h2d A x+256 256 #ones
launch r=A
h2d A x+1024 256 #ones
launch r=A)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #ones
launch r=A
h2d A x+272 256 #ones
launch r=A)"),
              Not(IsEmpty()))
      << "another array";
}

TEST(RepeatedTransferSilent, AKernelMayHaveWrittenIt) {
  // Rodinia's backprop, :119 and :169.
  EXPECT_THAT(findings_of(R"(alloc W 256
repeat 5
  h2d W w 256 #w
  launch rw=W
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, AnUnknownKernelMayHaveWrittenIt) {
  EXPECT_THAT(findings_of(R"(alloc W 256
repeat 5
  h2d W w 256 #w
  launch all
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ASkippedKernelWouldHaveWrittenIt) {
  EXPECT_THAT(findings_of(R"(alloc W 256
repeat 5
  h2d W w 256 #w
  launch rw=W skipped
end)"),
              IsEmpty());
}

// On a real device the kernel makes a new N every time; here it comes back as it was.
TEST(RepeatedTransferSilent, TheOutputOfASkippedKernelIsSentBack) {
  EXPECT_THAT(findings_of(R"(alloc G 256
alloc N 256
repeat 5
  launch r=G rw=N skipped
  d2h x N 256 #zero
  launch rw=N skipped
  h2d G x 256 #zero
end)"),
              IsEmpty());
}

// The host merges results into what it sends: with a skipped kernel they are the same each time, on
// a real device each would be new.
TEST(RepeatedTransferSilent, MayBeComputedFromResultsOfASkippedKernel) {
  const auto trace = [](const std::string& launch) {
    return "alloc A 256\nalloc B 256\nalloc C 256\nh2d A x 256 #x\n" + launch +
           " r=A w=B\nd2h y B 256 #y\n";
  };
  const std::string same_place = "repeat 3\n  h2d A x 256 #merged\n  launch r=A\nend";
  EXPECT_THAT(findings_of(trace("launch skipped") + same_place), IsEmpty());
  EXPECT_THAT(findings_of(trace("launch") + same_place),
              ElementsAre("8: repeated-transfer proven held-already 2x 512 B (8)"));

  const std::string elsewhere = "h2d A x 256 #merged\nh2d C x 256 #merged\nlaunch r=A r=C";
  EXPECT_THAT(findings_of(trace("launch skipped") + elsewhere), IsEmpty());
  EXPECT_THAT(findings_of(trace("launch") + elsewhere),
              ElementsAre("8: repeated-transfer content-duplicate held-elsewhere 1x 256 B (7)"));

  const std::string freed =
      "repeat 4\n  alloc D 256\n  h2d D x 256 #merged\n  launch r=D\n  free D\nend";
  EXPECT_THAT(findings_of(trace("launch skipped") + freed),
              Not(Contains(HasSubstr("repeated-transfer"))));
  EXPECT_THAT(findings_of(trace("launch") + freed),
              Contains("9: repeated-transfer content-duplicate freed-unchanged 3x 768 B (9)"));

  const std::string later = "alloc P 256 pinned\nlaunch skipped r=A w=B\nd2h P B 256 #y async\n";
  const std::string uploads = "\nrepeat 3\n  h2d C x 256 #m async\n  launch r=C\nend\nsync device";
  for (const char* wait : {"sync device", "sync stream=1", "d2h z A 256", "hostfunc stream=0"})
    EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nalloc C 256\n" + later + wait + uploads),
                Not(Contains(HasSubstr("repeated-transfer"))))
        << wait;

  const std::string peer =
      "alloc P 256 dev=1\nrepeat 3\n  h2d A x 256 #merged\n  d2d P A 256\n  launch r=P dev=1\nend";
  EXPECT_THAT(findings_of(trace("launch skipped") + peer), IsEmpty());
}

// Content that was uploaded before there were any results does not come from them.
TEST(RepeatedTransfer, SentBeforeAnyResultOfASkippedKernel) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
repeat 3
  h2d A x 256 #x
  launch r=A w=B skipped
  d2h y B 256 #y
end)"),
              ElementsAre("4: repeated-transfer proven held-already 2x 512 B (4)"));
  EXPECT_THAT(findings_of(R"(alloc B 256
repeat 4
  alloc A 256
  h2d A x 256 #x
  launch r=A w=B skipped
  d2h y B 256 #y
  free A
end)"),
              Contains("4: repeated-transfer content-duplicate freed-unchanged 3x 768 B (4)"));
  // The results are on their way until the host waits for them.
  const std::string two_devices = R"(alloc A 256 dev=0
alloc B 256 dev=0
alloc C 256 dev=1
alloc P 256 pinned
launch r=A w=B skipped
d2h P B 256 #y async
repeat 3
  h2d C x 256 #x dev=1
  launch r=C dev=1
)";
  EXPECT_THAT(findings_of(two_devices + "  sync device\nend"),
              Contains("8: repeated-transfer proven held-already 2x 512 B (8)"));
  EXPECT_THAT(findings_of("alloc A 256\n" + two_devices + "end"),
              Contains("9: repeated-transfer proven held-already 2x 512 B (9)"));
}

TEST(RepeatedTransferSilent, OtherContent) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 5
  h2d A x 256 #batch{i}
  launch r=A
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ASetOrACopyInBetween) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w
launch r=A
set A+8 4
h2d A x 256 #w
launch r=A)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w
launch r=A
h2d A+255 y 1 #z
launch r=A
h2d A x 256 #w
launch r=A)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ArraysOfZerosFromDifferentBuffers) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
alloc C 256
h2d A x 256 #zero
h2d B y 256 #zero
h2d C z 256 #zero
launch rw=A rw=B rw=C)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, OneZeroBufferForArraysThatKernelsWrite) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #zero
h2d B x 256 #zero
launch r=A rw=B)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #zero
h2d B x 256 #zero
launch rw=A r=B)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, TheBufferServedForSomethingElse) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 4
  h2d A x 256 #x
  launch r=A
  h2d A y 256 #y
  launch r=A
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, FreedAfterAKernelWroteIt) {
  EXPECT_THAT(findings_of(R"(repeat 4
  alloc A 256 at=1{i}
  h2d A w 256 #w
  launch rw=A
  free A
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, BatchesOfEachEpochThroughBuffersOfTheirOwn) {
  EXPECT_THAT(findings_of(R"(repeat 3
  alloc A 256
  h2d A one 256 #1
  launch r=A
  free A
  alloc A 256
  h2d A one 256 #2
  launch r=A
  free A
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, AKernelOnAnotherStreamMayStillWriteIt) {
  const std::string trace = R"(stream 1 nonblocking
alloc A 256
launch rw=A stream=1
WAIT
h2d A x 256 #w
h2d A x 256 #w
launch r=A
)";
  const auto with = [&](const std::string& wait) {
    std::string text = trace;
    return findings_of(text.replace(text.find("WAIT"), 4, wait));
  };
  EXPECT_THAT(with("; nothing"), IsEmpty());
  const std::string found = "6: repeated-transfer proven held-already 1x 256 B (5)";
  EXPECT_THAT(with("sync stream=1"), ElementsAre(found));
  EXPECT_THAT(with("sync device"), ElementsAre(found));
  EXPECT_THAT(with("sync stream=2"), IsEmpty());
}

TEST(RepeatedTransferSilent, StreamOrderIsUnderstood) {
  const auto with = [&](const std::string& streams, const std::string& copies) {
    return findings_of(streams + "\nalloc A 256\nlaunch rw=A stream=1\n" + copies +
                       "\nlaunch r=A stream=1");
  };
  const auto found = ElementsAre("5: repeated-transfer proven held-already 1x 256 B (4)");
  // The default stream waits for blocking streams only.
  EXPECT_THAT(with("stream 1", "h2d A x 256 #w\nh2d A x 256 #w"), found);
  EXPECT_THAT(with("stream 1 nonblocking", "h2d A x 256 #w\nh2d A x 256 #w"), IsEmpty());
  // The same stream.
  EXPECT_THAT(with("stream 1 nonblocking", "h2d A x 256 #w stream=1\nh2d A x 256 #w stream=1"),
              found);
  // Through an event.
  EXPECT_THAT(with("stream 1 nonblocking",
                   "record 5 stream=1\nwait 5 stream=2\nh2d A x 256 #w stream=2\nh2d A x 256 #w "
                   "stream=2"),
              ElementsAre("7: repeated-transfer proven held-already 1x 256 B (6)"));
  EXPECT_THAT(with("stream 1 nonblocking",
                   "record 5 stream=3\nwait 5 stream=2\nh2d A x 256 #w stream=2\nh2d A x 256 #w "
                   "stream=2"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, APolledFlag) {
  // A kernel that runs meanwhile sets it.
  EXPECT_THAT(findings_of(R"(stream 1 nonblocking
alloc F 4
launch w=F stream=1
repeat 5
  d2h f F 4 #0 stream=2
end
d2h f F 4 #1 stream=2)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ACounterThatIsTheSameNowAndThen) {
  EXPECT_THAT(findings_of(R"(alloc F 4
h2d F f 4 #0
launch r=F
h2d F f 4 #1 at=2
launch r=F
h2d F f 4 #1 at=2
launch r=F)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ASiteThatSendsNewDataNearlyAlways) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 30
  h2d A x 256 #{i}
  launch r=A
end
h2d A x 256 #29 at=3
launch r=A)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, WithoutAHashNothingIsKnown) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  h2d A x 256
  launch r=A
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, MemoryThatWasNotSeenToBeAllocated) {
  EXPECT_THAT(findings_of(R"(repeat 3
  h2d 0x7fff00000000 x 256 #w
  launch
end)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ManagedMemory) {
  EXPECT_THAT(findings_of(R"(alloc A 256 managed
repeat 3
  h2d A x 256 #w
  launch r=A
end)"),
              IsEmpty());
}

/// Rewards, say: after so many batches that are all zero comes another one.
std::string sparse(int zeros, const std::string& bytes) {
  std::string trace = "alloc B 256\nalloc P 65536\n";
  for (int round = 0; round < 8; ++round)
    for (int i = 0; i <= zeros; ++i)
      trace += "alloc P+512 " + bytes + " block at=2\nh2d P+512 w " + bytes +
               (i < zeros ? " #zero" : " #r" + std::to_string(round)) +
               " at=4\nlaunch r=P+512 w=B at=5\nfree P+512 block at=6\n";
  return trace;
}

TEST(RepeatedTransferSilent, DataThatIsOftenEqualByChance) {
  EXPECT_THAT(findings_of(sparse(4, "512")), IsEmpty());
  EXPECT_THAT(findings_of(sparse(4, "16384")), IsEmpty());
}

TEST(RepeatedTransfer, DataThatIsEqualButForAFewIsAdvice) {
  EXPECT_THAT(findings_of(sparse(40, "512")),
              ElementsAre(HasSubstr("4: repeated-transfer look-alike freed-unchanged")));
}

TEST(RepeatedTransferSilent, LostEventsMayHaveBeenKernels) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w
launch r=A
dropped 1
h2d A x 256 #w
launch r=A)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, KernelsReachBuffersThroughStoredAddresses) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 8
h2d P p 8 #p addresses
h2d A x 256 #w
launch r=P
h2d A x 256 #w
launch r=P)"),
              IsEmpty());
}

TEST(RepeatedTransfer, KernelsWhoseCodeFollowsNoStoredAddresses) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 8
h2d P p 8 #p addresses
h2d A x 256 #w
launch r=P r=A only
h2d A x 256 #w
launch r=P r=A only)"),
              testing::SizeIs(1));
}

TEST(RepeatedTransferSilent, FailedAndCapturedCallsDoNothing) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w failed
h2d A x 256 #w captured
h2d A x 256 #w
launch r=A)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, AnArgumentOnePastTheEndBelongsToWhatLiesBefore) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #w
launch rw=A+256
h2d A x 256 #w
launch r=A)"),
              IsEmpty());
}

TEST(RepeatedTransferSilent, ArgumentsWithAnExtent) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 128 #w
launch rw=A+100:4
h2d A x 128 #w
launch r=A)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 128 #w
launch r=A:128 rw=A+128:64
h2d A x 128 #w
launch r=A)"),
              ElementsAre("4: repeated-transfer proven held-already 1x 128 B (2)"));
}

}  // namespace
}  // namespace xfer::test
