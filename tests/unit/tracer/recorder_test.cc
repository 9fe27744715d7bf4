#include "recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "xfer/content_hash.h"

namespace xfer::tracer {
namespace {

std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// A recorder fed by hand-made calls. Device memory is at made-up addresses.
class RecorderTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kDevice = 0x7000'0000'0000;

  std::vector<Event> out_;
  EventQueue queue_{[this](const Event& event) { out_.push_back(event); }};
  KernelTable kernels_{[](std::string_view) { return 1U; }, [](const char*) { return false; }};
  bool nobody_looks_ = false;  // at pinned memory
  Recorder recorder_{queue_,
                     kernels_,
                     {},
                     [this](std::uint64_t) { return unknown_pointer_; },
                     {[](std::uint64_t, std::uint64_t) {},
                      [this](std::uint64_t, std::uint64_t) { return !nobody_looks_; },
                      [](std::uint64_t address) { return address; }},
                     [this](std::uint64_t) { return touched_; }};
  std::optional<std::vector<TouchedRange>> touched_;  // by the next launch
  Space unknown_pointer_ = Space::kPageable;
  OpenCall open_;
  std::uint64_t clock_ = 0;
  std::int16_t device_ = 0;
  const char* symbol_ = nullptr;
  bool captured_ = false;

  void enter(const ApiCall& call) {
    open_.call = call;
    open_.at = {};
    open_.at.correlation = ++clock_;
    open_.at.device = device_;
    open_.at.begin_ns = clock_;
    open_.at.symbol = symbol_;
    open_.at.captured = captured_;
    recorder_.enter(open_);
  }
  void exit(bool failed = false) { recorder_.exit(open_, failed, ++clock_); }
  void make(const ApiCall& call) {
    enter(call);
    exit();
  }

  void allocate(std::uint64_t begin, std::uint64_t bytes, Space space = Space::kDevice) {
    ApiCall call;
    call.op = space == Space::kPinned ? Op::kRegister : Op::kAlloc;
    call.space = space;
    call.bytes = bytes;
    call.address = begin;
    call.out = &begin;
    make(call);
  }
  static ApiCall copy(std::uint64_t to, Side to_side, std::uint64_t from, Side from_side,
                      std::uint64_t bytes) {
    ApiCall call;
    call.op = Op::kCopy;
    call.transfer.destination = {.address = to, .side = to_side};
    call.transfer.source = {.address = from, .side = from_side};
    call.transfer.width = bytes;
    return call;
  }
  static ApiCall upload(std::uint64_t to, const void* from, std::uint64_t bytes) {
    return copy(to, Side::kDevice, address(from), Side::kHost, bytes);
  }
  static ApiCall download(const void* to, std::uint64_t from, std::uint64_t bytes) {
    return copy(address(to), Side::kHost, from, Side::kDevice, bytes);
  }
  void make_async_download(const std::vector<char>& pinned, std::uint64_t stream = 0) {
    allocate(kDevice, pinned.size());
    allocate(address(pinned.data()), pinned.size(), Space::kPinned);
    ApiCall call = download(pinned.data(), kDevice, pinned.size());
    call.async = true;
    call.stream = stream;
    make(call);
  }
  static ApiCall sync_stream(std::uint64_t stream) {
    ApiCall call;
    call.op = Op::kSync;
    call.scope = SyncScope::kStream;
    call.stream = stream;
    return call;
  }
  void launch(const char* mangled, const std::vector<std::uint64_t>& values) {
    symbol_ = mangled;
    std::vector<const void*> arguments;
    for (const std::uint64_t& value : values) arguments.push_back(&value);
    ApiCall call;
    call.op = Op::kLaunch;
    call.launch.arguments =
        const_cast<void* const*>(reinterpret_cast<const void* const*>(arguments.data()));
    make(call);
  }
  static bool hashed(const Event& event, const void* data, std::size_t bytes) {
    const ContentHash hash = content_hash(data, bytes);
    return (event.flags & kHashed) != 0 && event.hash_lo == hash.lo && event.hash_hi == hash.hi;
  }
};

TEST_F(RecorderTest, AnUploadIsHashedAtItsEntry) {
  allocate(kDevice, 64);
  std::vector<char> data(64, 'a');
  const std::vector<char> before = data;
  enter(upload(kDevice, data.data(), 64));
  data.assign(64, 'b');
  exit();
  ASSERT_EQ(out_.size(), 2U);
  const Event& event = out_[1];
  EXPECT_EQ(event.kind, EventKind::kCopy);
  EXPECT_TRUE(hashed(event, before.data(), 64));
  EXPECT_EQ(event.space, Space::kDevice);
  EXPECT_EQ(event.source_space, Space::kPageable);
  EXPECT_EQ(event.device, 0);
  EXPECT_EQ(event.source_device, -1);
  EXPECT_EQ(event.bytes, 64U);
  EXPECT_LT(event.begin_ns, event.end_ns);
}

TEST_F(RecorderTest, CountsWhatTheThreadsCallsDid) {
  std::vector<char> data(64);
  allocate(kDevice, 64);
  make(upload(kDevice, data.data(), 64));
  enter(upload(kDevice, data.data(), 64));
  EXPECT_EQ(open_.done.of[Tally::kH2dCount], 1U) << "not while it is being made";
  exit(true);
  captured_ = true;
  make(upload(kDevice, data.data(), 64));
  captured_ = false;
  make(download(data.data(), kDevice, 32));
  launch("_Z5scalePfi", {kDevice, 1});
  make(sync_stream(0));
  const auto of = [&](Tally::Counted what) { return open_.done.of[what]; };
  EXPECT_EQ(of(Tally::kH2dCount), 1U);
  EXPECT_EQ(of(Tally::kH2dBytes), 64U);
  EXPECT_EQ(of(Tally::kD2hBytes), 32U);
  EXPECT_EQ(of(Tally::kLaunches), 1U);
  EXPECT_EQ(of(Tally::kSyncs), 1U);
  EXPECT_EQ(of(Tally::kAllocations), 1U);
}

TEST_F(RecorderTest, ASynchronousDownloadIsHashedAtItsExit) {
  allocate(kDevice, 64);
  std::vector<char> data(64, 'a');
  enter(download(data.data(), kDevice, 64));
  data.assign(64, 'b');
  exit();
  EXPECT_TRUE(hashed(out_.back(), data.data(), 64));
  EXPECT_EQ(out_.back().device, -1);
  EXPECT_EQ(out_.back().source_device, 0);
}

TEST_F(RecorderTest, AnAsynchronousDownloadIsHashedAtTheSyncThatCoversIt) {
  std::vector<char> data(64, 'a');
  make_async_download(data, 5);
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_EQ(out_[2].flags & kHashed, 0);
  make(sync_stream(6));
  ASSERT_EQ(out_.size(), 4U) << "another stream";
  data.assign(64, 'b');
  make(sync_stream(5));
  ASSERT_EQ(out_.size(), 6U);
  EXPECT_EQ(out_[4].kind, EventKind::kSync);
  EXPECT_EQ(out_[5].kind, EventKind::kContent);
  EXPECT_EQ(out_[5].correlation, out_[2].correlation);
  EXPECT_TRUE(hashed(out_[5], data.data(), 64));
}

TEST_F(RecorderTest, AnAsynchronousDownloadWithoutASyncIsNotHashed) {
  const std::vector<char> data(64, 'a');
  make_async_download(data);
  ApiCall free;
  free.op = Op::kFree;
  free.address = address(data.data());
  make(free);
  make(sync_stream(0));
  ASSERT_EQ(out_.size(), 5U);
  EXPECT_EQ(out_[2].flags & kHashed, 0);
  EXPECT_EQ(out_[3].kind, EventKind::kFree);
  EXPECT_EQ(out_[4].kind, EventKind::kSync);
}

TEST_F(RecorderTest, AHostFunctionMakesADownloadDoubtful) {
  const std::vector<char> data(64, 'a');
  make_async_download(data);
  ApiCall function;
  function.op = Op::kHostFunction;
  make(function);
  make(sync_stream(0));
  ASSERT_EQ(out_.size(), 5U);
  EXPECT_EQ(out_[3].kind, EventKind::kHostFunction);
  EXPECT_EQ(out_[4].kind, EventKind::kSync);
}

TEST_F(RecorderTest, AnUploadOfWhatIsToBeWrittenFirstHasNoContent) {
  const std::vector<char> pinned(64, 'a');
  make_async_download(pinned, 5);
  ApiCall call = upload(kDevice, pinned.data(), 32);
  call.async = true;
  call.stream = 5;
  make(call);
  EXPECT_EQ(out_.back().kind, EventKind::kCopy);
  EXPECT_EQ(out_.back().flags & kHashed, 0) << "the download writes it first";
  make(sync_stream(5));
  make(call);
  EXPECT_TRUE(hashed(out_.back(), pinned.data(), 32));
  ApiCall host;
  host.op = Op::kHostFunction;
  make(host);
  make(call);
  EXPECT_EQ(out_.back().flags & kHashed, 0) << "the host function may";
}

TEST_F(RecorderTest, AFailedCopyIsMarkedAndHasNoContent) {
  allocate(kDevice, 64);
  const std::vector<char> data(64, 'a');
  enter(upload(kDevice, data.data(), 64));
  exit(true);
  EXPECT_NE(out_.back().flags & kFailed, 0);
  EXPECT_EQ(out_.back().flags & kHashed, 0);
}

TEST_F(RecorderTest, AWrongPointerDoesNoHarm) {
  allocate(kDevice, 64);
  make(copy(kDevice, Side::kDevice, 0x10, Side::kHost, 64));     // no memory there
  make(copy(kDevice, Side::kDevice, kDevice, Side::kHost, 64));  // wrong kind: it is device memory
  make(copy(0, Side::kDevice, 0, Side::kHost, 64));
  ASSERT_EQ(out_.size(), 4U);
  EXPECT_EQ(out_[1].flags & kHashed, 0);
  EXPECT_EQ(out_[2].source_space, Space::kDevice);
  EXPECT_EQ(out_[2].flags & kHashed, 0);
}

TEST_F(RecorderTest, TheMapDecidesAboutCopiesThatDoNotSay) {
  const std::vector<char> data(64, 'a');
  allocate(kDevice, 64);
  make(copy(kDevice, Side::kUnknown, address(data.data()), Side::kUnknown, 64));
  EXPECT_EQ(out_.back().space, Space::kDevice);
  EXPECT_EQ(out_.back().source_space, Space::kPageable);
  EXPECT_TRUE(hashed(out_.back(), data.data(), 64));
  unknown_pointer_ = Space::kDevice;
  make(copy(kDevice, Side::kUnknown, 0x9000'0000, Side::kUnknown, 64));
  EXPECT_EQ(out_.back().source_space, Space::kDevice);
}

TEST_F(RecorderTest, DeviceMemoryOfUnknownOriginIsUnknown) {
  const std::vector<char> data(64, 'a');
  make(upload(kDevice, data.data(), 64));
  EXPECT_EQ(out_.back().space, Space::kUnknown);
  allocate(kDevice, 64);
  ApiCall call;
  call.op = Op::kExport;
  call.address = kDevice;
  make(call);
  make(upload(kDevice, data.data(), 64));
  EXPECT_EQ(out_.back().space, Space::kUnknown) << "another process may change it";
}

TEST_F(RecorderTest, ManagedAndWriteCombinedMemoryIsNotRead) {
  std::vector<char> data(64, 'a');
  allocate(kDevice, 64);
  allocate(address(data.data()), 64, Space::kManaged);
  make(upload(kDevice, data.data(), 64));
  EXPECT_EQ(out_.back().source_space, Space::kManaged);
  EXPECT_EQ(out_.back().flags & kHashed, 0);
  ApiCall combined;
  combined.op = Op::kRegister;
  combined.space = Space::kPinned;
  combined.uncached = true;
  combined.address = address(data.data());
  combined.bytes = 64;
  make(combined);
  make(upload(kDevice, data.data(), 64));
  EXPECT_EQ(out_.back().source_space, Space::kPinned);
  EXPECT_EQ(out_.back().flags & kHashed, 0);
}

TEST_F(RecorderTest, ALaunchNamesItsBuffersFirst) {
  allocate(kDevice, 0x100);
  allocate(kDevice + 0x1000, 0x100);
  out_.clear();
  launch("_Z3addPKfPfi", {kDevice + 16, kDevice + 0x1000, 7});
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_EQ(out_[0].kind, EventKind::kLaunchArg);
  EXPECT_EQ(out_[0].address, kDevice + 16);
  EXPECT_EQ(out_[0].bytes, 0U) << "anything in the allocation: a kernel may index backwards";
  EXPECT_EQ(out_[0].flags & (kReads | kWrites), kReads);
  EXPECT_EQ(out_[1].flags & (kReads | kWrites), kReads | kWrites);
  EXPECT_EQ(out_[2].kind, EventKind::kLaunch);
  EXPECT_EQ(out_[2].flags & (kMayTouchAll | kAllArguments), kAllArguments);
  EXPECT_EQ(out_[0].correlation, out_[2].correlation);
  EXPECT_EQ(out_[0].source, 1U);
  EXPECT_EQ(out_[1].source, 2U);
  EXPECT_EQ(out_[0].name, out_[2].name);
}

TEST_F(RecorderTest, ALaunchNamesWhatItTouchedWhereThatIsKnown) {
  allocate(kDevice, 0x100);           // read in part
  allocate(kDevice + 0x1000, 0x100);  // written
  allocate(kDevice + 0x2000, 0x100);  // given and left alone
  allocate(kDevice + 0x3000, 0x100);  // not given
  out_.clear();
  touched_ = {{kDevice, kDevice + 64, true, false, true},
              {kDevice + 0x1000, kDevice + 0x1100, false, true, true},
              {kDevice + 0x3000, kDevice + 0x3040, false, true, false},
              {kDevice + 0x1000, kDevice + 0x1000, false, false, true},
              {kDevice + 0x2000, kDevice + 0x2000, false, false, true}};
  launch("_Z3addPfS_S_", {kDevice + 16, kDevice + 0x1000, kDevice + 0x2000});
  const auto argument = [&](std::size_t i, std::uint64_t offset, std::uint64_t bytes, int flags,
                            std::uint64_t parameter) {
    EXPECT_EQ(out_[i].kind, EventKind::kLaunchArg) << i;
    EXPECT_EQ(out_[i].address - kDevice, offset) << i;
    EXPECT_EQ(out_[i].bytes, bytes) << i;
    EXPECT_EQ(out_[i].flags, flags) << i;
    EXPECT_EQ(out_[i].source, parameter) << i;
  };
  ASSERT_EQ(out_.size(), 8U);
  argument(0, 0x1000, 0x100, kWrites, 2);  // first what it read nothing of
  argument(1, 0, 64, kReads, 1);
  argument(2, 0x3000, 0x40, kReads | kWrites, 0);  // some of these
  argument(3, 0, 0, kReads, 1);                    // another run might read more
  argument(4, 0x1000, 0, kReads, 2);
  argument(5, 0x3000, 0, kReads, 0);
  argument(6, 0x2000, 0, kReads, 3);
  EXPECT_EQ(out_[7].kind, EventKind::kLaunch);
  EXPECT_EQ(out_[7].flags & (kMayTouchAll | kAllArguments | kArgumentsOnly), kArgumentsOnly);

  // Nothing is known of the next.
  touched_.reset();
  launch("_Z1k6Params", {kDevice});
  EXPECT_NE(out_.back().flags & kMayTouchAll, 0);
}

TEST_F(RecorderTest, PiecesOfAnAllocatorsBlocksAreKnownByTheirEnds) {
  allocate(kDevice, 0x1000);
  recorder_.block({}, kDevice, 0x100, true);
  touched_ = {{kDevice, kDevice + 0x800, false, true, false}};
  out_.clear();
  launch("_Z1k6Params", {kDevice});
  EXPECT_EQ(out_.back().flags & (kMayTouchAll | kArgumentsOnly), kArgumentsOnly);
  EXPECT_EQ(out_.front().bytes, 0x800U);
  EXPECT_EQ(out_.front().flags, kReads | kWrites);
}

TEST_F(RecorderTest, AnIntegerThatIsAnAddressIsABuffer) {
  allocate(kDevice, 0x100);
  out_.clear();
  launch("_Z1kmm", {kDevice, 12345});
  ASSERT_EQ(out_.size(), 2U);
  EXPECT_EQ(out_[0].kind, EventKind::kLaunchArg);
  EXPECT_EQ(out_[0].flags & (kReads | kWrites), kReads | kWrites);
}

TEST_F(RecorderTest, LaunchesThatMayTouchAnything) {
  const auto may_touch_all = [this](const char* symbol) {
    launch(symbol, {kDevice, kDevice, kDevice});
    return (out_.back().flags & kMayTouchAll) != 0;
  };
  allocate(kDevice, 0x100);
  const auto all_arguments = [this] { return (out_.back().flags & kAllArguments) != 0; };
  EXPECT_TRUE(may_touch_all("unmangled"));
  EXPECT_FALSE(all_arguments());
  EXPECT_TRUE(may_touch_all(nullptr));
  EXPECT_TRUE(may_touch_all("_Z1k6ParamsPf"));
  EXPECT_FALSE(all_arguments()) << "a class by value";
  EXPECT_TRUE(may_touch_all("_Z1kPPf"));
  EXPECT_TRUE(all_arguments()) << "what its code follows decides";
  EXPECT_FALSE(may_touch_all("_Z1kPf"));
  ApiCall packed;
  packed.op = Op::kLaunch;
  symbol_ = "_Z1kPf";
  make(packed);
  EXPECT_NE(out_.back().flags & kMayTouchAll, 0) << "arguments not given one by one";
  EXPECT_FALSE(all_arguments());
  ApiCall texture;
  texture.op = Op::kOpaqueAccess;
  make(texture);
  EXPECT_TRUE(may_touch_all("_Z1kPf"));
}

TEST_F(RecorderTest, AnUploadThatHoldsDeviceAddressesIsMarked) {
  allocate(kDevice, 0x100);
  std::uint64_t table[2] = {0, 3};
  ApiCall call = upload(0x5000, table, sizeof(table));
  call.transfer.destination.symbol = true;
  make(call);
  EXPECT_EQ(out_.back().flags & kHoldsAddresses, 0);
  table[1] = kDevice + 8;
  make(call);
  EXPECT_NE(out_.back().flags & kHoldsAddresses, 0);
  EXPECT_EQ(out_.back().space, Space::kUnknown);
}

TEST_F(RecorderTest, ExportedMemoryIsGivenUp) {
  allocate(kDevice, 0x100);
  out_.clear();
  ApiCall call;
  call.op = Op::kExport;
  call.address = kDevice;
  make(call);
  ASSERT_EQ(out_.size(), 2U);
  EXPECT_NE(out_[0].flags & kMayTouchAll, 0);
  EXPECT_EQ(out_[1].kind, EventKind::kFree);
  EXPECT_NE(out_[1].flags & kMayTouchAll, 0);
}

TEST_F(RecorderTest, AFreeThatCudaRefusesIsRecorded) {
  allocate(kDevice, 0x100);
  ApiCall free;
  free.op = Op::kFree;
  free.address = kDevice;
  make(free);
  EXPECT_EQ(out_.back().flags & kFailed, 0);
  enter(free);
  exit(/*failed=*/true);
  EXPECT_EQ(out_.back().kind, EventKind::kFree);
  EXPECT_EQ(out_.back().address, kDevice);
  EXPECT_NE(out_.back().flags & kFailed, 0);
  free.address = 0;  // frees nothing
  out_.clear();
  make(free);
  EXPECT_TRUE(out_.empty());
}

TEST_F(RecorderTest, WhoMayReachWhat) {
  ApiCall call;
  call.op = Op::kPeerAccess;
  call.peer = 1;
  make(call);
  EXPECT_EQ(out_.back().kind, EventKind::kPeerAccess);
  EXPECT_EQ(out_.back().device, 0);
  EXPECT_EQ(out_.back().source_device, 1);
}

TEST_F(RecorderTest, AFaultWhereCudasMemoryIsOrWas) {
  std::vector<char> pinned(64);
  allocate(kDevice, 0x100);
  allocate(kDevice + 0x1000, 0x100);
  allocate(address(pinned.data()), 64, Space::kPinned);
  ASSERT_TRUE(recorder_.fault(kDevice + 0x10));
  EXPECT_EQ(recorder_.fault(kDevice + 0x10)->kind, EventKind::kHostAccess);
  EXPECT_EQ(recorder_.fault(kDevice + 0x10)->space, Space::kDevice);
  EXPECT_EQ(recorder_.fault(address(pinned.data()))->space, Space::kPinned);
  ApiCall free;
  free.op = Op::kFree;
  free.address = kDevice;
  make(free);
  EXPECT_TRUE(recorder_.fault(kDevice + 0x10)) << "the engine knows whether it was freed";
  EXPECT_FALSE(recorder_.fault(0x10));
  EXPECT_FALSE(recorder_.fault(address(&pinned)));
}

TEST_F(RecorderTest, StridedCopiesHaveExtents) {
  allocate(kDevice, 0x1000);
  const std::vector<char> data(300, 'a');
  ApiCall call = upload(kDevice, data.data(), 100);
  call.transfer.rows = 3;
  call.transfer.destination.pitch = 512;
  make(call);
  EXPECT_NE(out_.back().flags & kStrided, 0);
  EXPECT_EQ(out_.back().bytes, 300U);
  EXPECT_EQ(out_.back().extent, 2 * 512U + 100);
  EXPECT_EQ(out_.back().source_extent, 300U);
  EXPECT_TRUE(hashed(out_.back(), data.data(), 300));
}

TEST_F(RecorderTest, AFreeIsRecordedWhereItWasCalled) {
  allocate(kDevice, 0x100);
  ApiCall free;
  free.op = Op::kFree;
  free.address = kDevice;
  enter(free);
  OpenCall other = open_;
  // Another thread gets the same address before this one is back.
  std::uint64_t made = kDevice;
  OpenCall allocation;
  allocation.call.op = Op::kAlloc;
  allocation.call.space = Space::kDevice;
  allocation.call.bytes = 0x80;
  allocation.call.out = &made;
  recorder_.enter(allocation);
  recorder_.exit(allocation, false, 50);
  recorder_.exit(other, false, 60);
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_EQ(out_[1].kind, EventKind::kFree);
  EXPECT_EQ(out_[2].kind, EventKind::kAlloc);
  const std::vector<char> data(0x80, 'a');
  make(upload(kDevice, data.data(), 0x80));
  EXPECT_EQ(out_.back().space, Space::kDevice);
}

TEST_F(RecorderTest, AFailedFreeFreesNothing) {
  allocate(kDevice, 0x100);
  ApiCall free;
  free.op = Op::kFree;
  free.address = kDevice;
  enter(free);
  exit(true);
  const std::vector<char> data(64, 'a');
  make(upload(kDevice, data.data(), 64));
  EXPECT_EQ(out_.back().space, Space::kDevice);
  out_.clear();
  free.address = 0;
  make(free);
  EXPECT_TRUE(out_.empty()) << "freeing null is nothing";
}

TEST_F(RecorderTest, CapturedCallsAreMarkedAndNotRead) {
  allocate(kDevice, 64);
  const std::vector<char> data(64, 'a');
  ApiCall begin;
  begin.op = Op::kCaptureBegin;
  make(begin);
  EXPECT_TRUE(recorder_.capturing());
  captured_ = true;
  make(upload(kDevice, data.data(), 64));
  EXPECT_NE(out_.back().flags & kCaptured, 0);
  EXPECT_EQ(out_.back().flags & kHashed, 0);
  ApiCall end;
  end.op = Op::kCaptureEnd;
  make(end);
  EXPECT_FALSE(recorder_.capturing());
}

TEST_F(RecorderTest, ADeviceResetFreesWhatIsThere) {
  allocate(kDevice, 64);
  out_.clear();
  ApiCall reset;
  reset.op = Op::kDeviceReset;
  make(reset);
  ASSERT_EQ(out_.size(), 2U);
  for (const Event& event : out_) {
    EXPECT_EQ(event.kind, EventKind::kFree);
    EXPECT_EQ(event.sync, SyncScope::kDevice);
  }
  EXPECT_EQ(out_[0].address, kDevice);
  EXPECT_EQ(out_[1].address, 0U) << "the reset's end";
}

TEST_F(RecorderTest, EmptyCopiesAreNothing) {
  allocate(kDevice, 64);
  out_.clear();
  const char data = 0;
  make(upload(kDevice, &data, 0));
  EXPECT_TRUE(out_.empty());
}

TEST_F(RecorderTest, CopiesThatAnOperationMadeForItself) {
  allocate(kDevice, 64);
  const std::vector<char> data(64, 'a');
  open_.implicit = 1;
  make(upload(kDevice, data.data(), 64));
  open_.implicit = 0;
  make(upload(kDevice, data.data(), 64));
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_NE(out_[1].flags & kImplicit, 0);
  EXPECT_EQ(out_[2].flags & kImplicit, 0);
}

TEST_F(RecorderTest, UnmodelledCallsAreCounted) {
  ApiCall call;
  call.op = Op::kUnmodelled;
  make(call);
  EXPECT_EQ(recorder_.unmodelled(), 1U);
}

TEST_F(RecorderTest, DownloadsThatNobodyLookedAt) {
  std::vector<char> pinned(8192);
  allocate(kDevice, 8192);
  allocate(address(pinned.data()), 8192, Space::kPinned);
  const auto unread_after = [&](const std::function<void()>& then) {
    make(download(pinned.data(), kDevice, 4096));
    const std::uint64_t copy = out_.back().correlation;
    then();
    return std::any_of(out_.begin(), out_.end(), [&](const Event& event) {
      return event.kind == EventKind::kUnread && event.correlation == copy;
    });
  };
  const auto overwrite = [&] { make(download(pinned.data(), kDevice, 8192)); };
  EXPECT_FALSE(unread_after(overwrite)) << "somebody looked";
  nobody_looks_ = true;
  EXPECT_FALSE(unread_after([&] { make(download(pinned.data() + 8, kDevice, 4096)); }))
      << "only a part is overwritten";
  EXPECT_FALSE(unread_after([&] { make(upload(kDevice, pinned.data(), 4096)); }))
      << "it is still there";
  EXPECT_TRUE(unread_after(overwrite));
  EXPECT_TRUE(unread_after([&] { recorder_.finish(); }));
  EXPECT_TRUE(unread_after([&] {
    ApiCall call;
    call.op = Op::kFree;
    call.address = address(pinned.data());
    make(call);
  }));
}

TEST_F(RecorderTest, DownloadsThatNobodyLookedAtWhenTheHostWaits) {
  std::vector<char> pinned(8192);
  allocate(kDevice, 8192);
  allocate(address(pinned.data()), 8192, Space::kPinned);
  ApiCall copy = download(pinned.data(), kDevice, 4096);
  copy.async = true;
  ApiCall wait;
  wait.op = Op::kSync;
  wait.scope = SyncScope::kDevice;
  const auto unseen_before = [&](const ApiCall& call) {
    const std::size_t before = out_.size();
    make(call);
    return std::count_if(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end(),
                         [](const Event& event) { return event.kind == EventKind::kUnseen; });
  };
  make(copy);
  EXPECT_EQ(unseen_before(wait), 0) << "somebody looked";
  nobody_looks_ = true;
  make(copy);
  EXPECT_EQ(unseen_before(wait), 1);
  const auto last = [&](EventKind kind) {
    return std::find_if(out_.rbegin(), out_.rend(),
                        [&](const Event& event) { return event.kind == kind; });
  };
  EXPECT_GT(last(EventKind::kUnseen), last(EventKind::kSync)) << "it is told before the wait";
  EXPECT_EQ(unseen_before(upload(kDevice, pinned.data() + 4096, 64)), 1);
  EXPECT_EQ(unseen_before(copy), 0) << "it does not wait";
  make(wait);
  nobody_looks_ = false;
  make(wait);
  nobody_looks_ = true;
  EXPECT_EQ(unseen_before(wait), 0) << "somebody looked meanwhile";
  for (int i = 0; i < 8; ++i) make(copy), make(wait);
  EXPECT_EQ(unseen_before(wait), 1) << "of one that has gone nothing more is told";
  make(download(pinned.data(), kDevice, 4096));
  EXPECT_EQ(unseen_before(wait), 0) << "that copy waited by itself";
}

TEST_F(RecorderTest, TheProgramReadAClock) {
  ApiCall wait;
  wait.op = Op::kSync;
  wait.scope = SyncScope::kDevice;
  open_.clock_read = true;
  make(wait);
  make(wait);
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_EQ(out_[0].kind, EventKind::kHostClock);
  EXPECT_EQ(out_[1].kind, EventKind::kSync);
  EXPECT_EQ(out_[2].kind, EventKind::kSync) << "not since";
}

TEST(StreamName, DefaultStreams) {
  EXPECT_EQ(stream_name(0, false), 0U);
  EXPECT_EQ(stream_name(1, true), 0U);
  EXPECT_EQ(stream_name(0x1234, true), 0x1234U);
  EXPECT_EQ(stream_name(0, true), kThreadStream);
  EXPECT_EQ(stream_name(2, false), kThreadStream);
}

// Without time to read, copies are unknown: neither equal to others nor different, and an upload
// may have brought device addresses.
TEST_F(RecorderTest, AnEventThatAnotherProcessMayWaitForMayTellTheHost) {
  ApiCall record;
  record.op = Op::kEventRecord;
  record.event = 7;
  make(record);
  ApiCall share;
  share.op = Op::kSharedEvent;
  make(share);
  make(record);
  queue_.drain();
  std::vector<EventKind> kinds;
  for (const Event& event : out_) kinds.push_back(event.kind);
  EXPECT_EQ(kinds, (std::vector{EventKind::kEventRecord, EventKind::kEventRecord,
                                EventKind::kHostFunction}));
}

TEST_F(RecorderTest, ContentThatThereIsNoTimeFor) {
  Recorder recorder(queue_, kernels_, {.hash_budget = 0}, nullptr);
  const auto copied = [&](const ApiCall& call) {
    OpenCall open;
    open.call = call;
    recorder.enter(open);
    recorder.exit(open, false, 1);
    return out_.back();
  };
  std::uint64_t device = kDevice;
  ApiCall allocation;
  allocation.op = Op::kAlloc;
  allocation.space = Space::kDevice;
  allocation.bytes = 1 << 20;
  allocation.out = &device;
  copied(allocation);
  std::vector<char> host(1 << 20, 1);
  EXPECT_NE(copied(upload(kDevice, host.data(), 4096)).flags & kHashed, 0);
  EXPECT_EQ(recorder.content().skipped_copies, 0U);
  EXPECT_EQ(copied(download(host.data(), kDevice, host.size())).flags & kHashed, 0);
  const Event unread = copied(upload(kDevice, host.data(), host.size()));
  EXPECT_EQ(unread.flags & kHashed, 0);
  EXPECT_NE(unread.flags & kHoldsAddresses, 0);
  EXPECT_EQ(recorder.content().skipped_copies, 2U);
  EXPECT_EQ(recorder.content().skipped_bytes, 2U << 20);
  EXPECT_EQ(recorder.unsearched(), 1U);
}

}  // namespace
}  // namespace xfer::tracer
