#include "in_flight.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace xfer::tracer {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t kPinned = 0x5000;
constexpr std::uint64_t kOnDevice = 0x9000;

/// Streams 101 and 102, which wait for nobody.
class InFlightTest : public testing::Test {
 protected:
  InFlightTest()
      : in_flight_({[this](const WatchedBytes& bytes) {
                      said_.push_back("watch " + std::to_string(bytes.id));
                      watched_ = bytes;
                      return can_watch_;
                    },
                    [this](std::uint64_t id) { said_.push_back("release " + std::to_string(id)); }},
                   [this](const CopyCall&) { return holds_; }) {
    for (const std::uint64_t stream : {101, 102}) {
      Event event = event_of(EventKind::kStreamCreate, stream);
      event.flags = kAsync;
      in_flight_.see(event);
    }
  }

  static Event event_of(EventKind kind, std::uint64_t stream) {
    Event event;
    event.kind = kind;
    event.stream = stream;
    return event;
  }
  Event copy_of(std::uint64_t id, std::uint64_t stream, bool to_host) const {
    Event event = event_of(EventKind::kCopy, stream);
    event.correlation = id;
    event.flags = kAsync;
    event.space = to_host ? Space::kPinned : Space::kDevice;
    event.source_space = to_host ? Space::kDevice : Space::kPinned;
    event.address = to_host ? kPinned : kOnDevice;
    event.source = to_host ? kOnDevice : kPinned;
    event.bytes = 64;
    event.device = to_host ? std::int16_t{-1} : std::int16_t{0};
    event.source_device = to_host ? std::int16_t{0} : std::int16_t{-1};
    return event;
  }
  static CopyCall transfer_of(const Event& copy) {
    CopyCall transfer;
    transfer.destination.address = copy.address;
    transfer.source.address = copy.source;
    transfer.width = copy.bytes;
    return transfer;
  }
  void copy(std::uint64_t id, std::uint64_t stream, bool to_host = false) {
    const Event event = copy_of(id, stream, to_host);
    const CopyCall transfer = transfer_of(event);
    in_flight_.see(event, {.transfer = &transfer});
  }
  void sync(SyncScope scope, std::uint64_t stream, std::uint64_t event_id = 0) {
    Event event = event_of(EventKind::kSync, stream);
    event.sync = scope;
    event.event_id = event_id;
    in_flight_.see(event);
  }
  void record(std::uint64_t event_id, std::uint64_t stream) {
    Event event = event_of(EventKind::kEventRecord, stream);
    event.event_id = event_id;
    in_flight_.see(event);
  }
  std::vector<std::string> said() { return std::exchange(said_, {}); }

  /// An upload whose source held 1 when it was asked for.
  void hashed_copy(std::uint64_t id, std::uint64_t stream) {
    Event event = copy_of(id, stream, false);
    event.flags |= kHashed;
    event.hash_lo = event.hash_hi = 1;
    const CopyCall transfer = transfer_of(event);
    in_flight_.see(event, {.transfer = &transfer});
  }
  std::vector<std::uint64_t> changed_at(const Event& event) {
    std::vector<std::uint64_t> ids;
    for (const Event& changed : in_flight_.see(event).changed) {
      EXPECT_EQ(changed.kind, EventKind::kSourceChanged);
      ids.push_back(changed.correlation);
    }
    return ids;
  }
  /// A download whose content is wanted.
  void download(std::uint64_t id, std::uint64_t stream, std::int16_t device = 0,
                std::uint32_t thread = 0) {
    Event event = copy_of(id, stream, true);
    event.source_device = device;
    event.thread = thread;
    const CopyCall transfer = transfer_of(event);
    in_flight_.see(event, {.transfer = &transfer, .awaits_content = true});
  }
  std::vector<std::uint64_t> arrived_at(const Event& event) {
    std::vector<std::uint64_t> ids;
    for (const Download& download : in_flight_.see(event).arrived)
      ids.push_back(download.event.correlation);
    return ids;
  }
  static Event wait_for(std::uint64_t stream) {
    Event event = event_of(EventKind::kSync, stream);
    event.sync = SyncScope::kStream;
    return event;
  }

  bool can_watch_ = true;
  std::optional<ContentHash> holds_ = ContentHash{1, 1};
  std::vector<std::string> said_;
  WatchedBytes watched_;
  InFlight in_flight_;
};

TEST_F(InFlightTest, WatchesTheHostSideUntilTheStreamWasWaitedFor) {
  copy(1, 101);
  EXPECT_THAT(said(), ElementsAre("watch 1"));
  EXPECT_EQ(watched_.begin, kPinned);
  EXPECT_EQ(watched_.width, 64U);
  EXPECT_FALSE(watched_.device_writes);
  EXPECT_TRUE(InFlight::is_any());
  sync(SyncScope::kStream, 102);
  EXPECT_THAT(said(), IsEmpty()) << "of the other stream says nothing";
  sync(SyncScope::kStream, 101);
  EXPECT_THAT(said(), ElementsAre("release 1"));
  EXPECT_FALSE(InFlight::is_any());
}

TEST_F(InFlightTest, AnEventCoversWhatIsBeforeIt) {
  copy(1, 101, true);
  EXPECT_TRUE(watched_.device_writes);
  record(5, 101);
  copy(2, 101, true);
  said();
  sync(SyncScope::kEvent, 0, 5);
  EXPECT_THAT(said(), ElementsAre("release 1"));
}

TEST_F(InFlightTest, WhatMayTellTheHostReleasesWhatIsBeforeIt) {
  copy(1, 101);
  copy(2, 102);
  said();
  in_flight_.see(event_of(EventKind::kHostFunction, 101));
  EXPECT_THAT(said(), ElementsAre("release 1"));
  Event launch = event_of(EventKind::kLaunch, 102);
  Event argument = event_of(EventKind::kLaunchArg, 102);
  argument.space = Space::kDevice;
  in_flight_.see(launch, {.arguments = {&argument, 1}});
  EXPECT_THAT(said(), IsEmpty());
  argument.space = Space::kPinned;
  in_flight_.see(launch, {.arguments = {&argument, 1}});
  EXPECT_THAT(said(), ElementsAre("release 2"));
}

TEST_F(InFlightTest, AKernelThatTouchedHostMemoryAndToldNothing) {
  copy(1, 101);
  said();
  Event launch = event_of(EventKind::kLaunch, 101);
  launch.correlation = 2;
  Event argument = event_of(EventKind::kLaunchArg, 101);
  argument.space = Space::kPinned;
  argument.flags = kPlain | kReads | kWrites;
  argument.address = kPinned + 256;
  argument.bytes = 8;
  in_flight_.see(launch, {.arguments = {&argument, 1}});
  EXPECT_THAT(said(), ElementsAre("watch 2"));
  EXPECT_EQ(watched_.begin, kPinned + 256);
  EXPECT_TRUE(watched_.device_writes);
}

TEST_F(InFlightTest, TheSidesOfAGraph) {
  Event launch = event_of(EventKind::kLaunch, 101);
  launch.correlation = 3;
  launch.flags = kAsync | kMayTouchAll;
  const CopyCall rows{{.address = kOnDevice}, {.address = kPinned, .pitch = 64}, 16, 4};
  const GraphSide sides[] = {{rows}};
  in_flight_.see(launch, {.sides = sides});
  EXPECT_THAT(said(), ElementsAre("watch 3"));
  EXPECT_EQ(watched_.rows, 4U);
  in_flight_.see(launch);
  EXPECT_THAT(said(), ElementsAre("release 3")) << "the next launch may tell of the first";
  in_flight_.see(launch, {.sides = sides});
  said();
  in_flight_.see(launch, {.is_plain_graph = true});
  EXPECT_THAT(said(), IsEmpty()) << "of this one it is known that it does not";
}

TEST_F(InFlightTest, TheSourceOfAGraphsCopy) {
  Event launch = event_of(EventKind::kLaunch, 101);
  launch.correlation = 3;
  launch.site = 9;
  launch.flags = kAsync | kMayTouchAll;
  const CopyCall copy{{.address = kOnDevice}, {.address = kPinned}, 64};
  const GraphSide sides[] = {{copy, false, ContentHash{1, 1}}};
  in_flight_.see(launch, {.sides = sides, .is_plain_graph = true});
  holds_ = ContentHash{2, 2};
  const std::vector<Event> changed = in_flight_.see(wait_for(101)).changed;
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].kind, EventKind::kSourceChanged);
  EXPECT_EQ(changed[0].correlation, 3U);
  EXPECT_EQ(changed[0].site, 9U);
  EXPECT_EQ(changed[0].bytes, 64U);
  EXPECT_EQ(changed[0].source, kPinned);
  EXPECT_EQ(changed[0].flags, 0);
  in_flight_.see(launch, {.sides = sides});
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty()) << "the graph may write there itself";
}

TEST_F(InFlightTest, LeavesAloneWhatIsOverOrWasNeverMade) {
  for (const auto change :
       {+[](Event& event) { event.flags = 0; }, +[](Event& event) { event.flags |= kCaptured; },
        +[](Event& event) { event.flags |= kFailed; },
        +[](Event& event) { event.source_space = Space::kPageable; },
        +[](Event& event) { event.stream = 999; }}) {
    Event event = copy_of(7, 101, false);
    change(event);
    const CopyCall transfer = transfer_of(event);
    in_flight_.see(event, {.transfer = &transfer});
  }
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(InFlightTest, WhatCannotBeWatchedIsNotReleased) {
  can_watch_ = false;
  copy(1, 101);
  said();
  sync(SyncScope::kDevice, 0);
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(InFlightTest, ASourceThatHoldsOtherBytesWhenTheCopyIsKnownToBeOver) {
  hashed_copy(1, 101);
  holds_ = ContentHash{2, 2};
  EXPECT_THAT(changed_at(wait_for(102)), IsEmpty());
  EXPECT_THAT(changed_at(wait_for(101)), ElementsAre(1));
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty()) << "once";
  hashed_copy(2, 101);
  holds_ = ContentHash{1, 1};
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty()) << "it holds what it held";
  hashed_copy(3, 101);
  holds_ = std::nullopt;
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty()) << "it cannot be read";
}

TEST_F(InFlightTest, WhatTheDeviceOrAHostFunctionMayWriteIsNotCompared) {
  holds_ = ContentHash{2, 2};
  copy(1, 101, true);  // a result comes to where the next upload reads
  hashed_copy(2, 101);
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty());
  in_flight_.see(event_of(EventKind::kHostFunction, 101));
  hashed_copy(3, 101);
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty()) << "it may fill the source";
  hashed_copy(4, 101);
  EXPECT_THAT(changed_at(wait_for(101)), ElementsAre(4)) << "and is over now";
  hashed_copy(5, 101);
  in_flight_.spoil(kPinned + 63, kPinned + 64);
  EXPECT_THAT(changed_at(wait_for(101)), IsEmpty());
}

TEST_F(InFlightTest, AKernelWhoseAccessesAreNotKnownMayHaveToldTheHost) {
  hashed_copy(1, 101);
  holds_ = ContentHash{2, 2};
  Event launch = event_of(EventKind::kLaunch, 101);
  launch.name = 1;
  launch.flags = kMayTouchAll;
  EXPECT_THAT(in_flight_.see(launch).changed, IsEmpty());
  const std::vector<Event> changed = in_flight_.see(wait_for(101)).changed;
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_NE(changed[0].flags & kMayTouchAll, 0);
}

TEST_F(InFlightTest, ADownloadIsThereAfterAWaitForItsStream) {
  download(1, 101);
  download(2, 102);
  EXPECT_THAT(arrived_at(wait_for(101)), ElementsAre(1));
  EXPECT_THAT(arrived_at(wait_for(101)), IsEmpty()) << "once";
  Event all = event_of(EventKind::kSync, 0);
  all.sync = SyncScope::kDevice;
  EXPECT_THAT(arrived_at(all), ElementsAre(2));
}

TEST_F(InFlightTest, ADownloadIsThereAfterWhatIsInOrderAfterIt) {
  download(1, 101);
  record(5, 101);
  download(2, 101);
  Event joins = event_of(EventKind::kStreamWait, 102);
  joins.event_id = 5;
  in_flight_.see(joins);
  EXPECT_THAT(arrived_at(wait_for(102)), ElementsAre(1));
  record(6, 101);
  Event event = event_of(EventKind::kSync, 0);
  event.sync = SyncScope::kEvent;
  event.event_id = 6;
  EXPECT_THAT(arrived_at(event), ElementsAre(2));
}

TEST_F(InFlightTest, ABlockingDownloadWaitsForTheOthersOfItsStream) {
  download(1, 101);
  Event blocking = copy_of(2, 101, true);
  blocking.flags = 0;
  EXPECT_THAT(arrived_at(blocking), ElementsAre(1));
}

TEST_F(InFlightTest, DefaultStreamsAreOfADeviceOrOfAThread) {
  download(1, 0, 0);
  download(2, 0, 1);
  Event other = wait_for(0);
  other.device = 1;
  EXPECT_THAT(arrived_at(other), ElementsAre(2));
  EXPECT_THAT(arrived_at(wait_for(0)), ElementsAre(1));
  download(3, kThreadStream, 0, 1);
  Event own = wait_for(kThreadStream);
  own.thread = 2;
  EXPECT_THAT(arrived_at(own), IsEmpty());
  own.thread = 1;
  EXPECT_THAT(arrived_at(own), ElementsAre(3));
}

TEST_F(InFlightTest, ADownloadThatMayBeThereIsNot) {
  download(1, 101);
  Event launch = event_of(EventKind::kLaunch, 101);
  launch.name = 1;
  launch.flags = kMayTouchAll;
  EXPECT_THAT(arrived_at(launch), IsEmpty()) << "the kernel may tell, or may not";
  EXPECT_THAT(arrived_at(wait_for(101)), ElementsAre(1));
  download(2, 101);
  Event unknown = event_of(EventKind::kSync, 0);
  unknown.sync = SyncScope::kEvent;
  unknown.event_id = 99;
  EXPECT_THAT(arrived_at(unknown), IsEmpty()) << "nobody saw what it was recorded after";
  in_flight_.spoil(kPinned + 63, kPinned + 64);
  EXPECT_THAT(arrived_at(wait_for(101)), IsEmpty()) << "something else came there";
}

TEST_F(InFlightTest, ADownloadOnAStreamWhoseCreationWasNotSeen) {
  download(1, 777);
  EXPECT_THAT(said(), IsEmpty()) << "it is not watched";
  EXPECT_THAT(arrived_at(wait_for(777)), ElementsAre(1));
}

TEST_F(InFlightTest, TheOldestOfTooManyIsLetGo) {
  for (std::uint64_t id = 1; id <= 513; ++id) copy(id, 101);
  EXPECT_THAT(said_, Contains("release 1"));
  EXPECT_THAT(said_, Not(Contains("release 2")));
}

}  // namespace
}  // namespace xfer::tracer
