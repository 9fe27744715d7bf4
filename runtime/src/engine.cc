#include "xfer/engine.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "detect/alloc_in_loop.h"
#include "detect/alloc_rounds.h"
#include "detect/async_source_reuse.h"
#include "detect/blocking_row.h"
#include "detect/draining_upload.h"
#include "detect/exposed_copy.h"
#include "detect/hidden_sync.h"
#include "detect/host_access.h"
#include "detect/implicit_transfer.h"
#include "detect/leak.h"
#include "detect/needless_sync.h"
#include "detect/pageable_async.h"
#include "detect/pageable_steps.h"
#include "detect/pinned_wait.h"
#include "detect/pool_trims.h"
#include "detect/read_before_sync.h"
#include "detect/remembered.h"
#include "detect/repeated_transfer.h"
#include "detect/round_trip.h"
#include "detect/slow_copy.h"
#include "detect/small_copies.h"
#include "detect/stale_content.h"
#include "detect/sync_in_loop.h"
#include "detect/through_host.h"
#include "detect/unused_transfer.h"
#include "detect/upload_bursts.h"
#include "detect/use_after_free.h"
#include "detect/wrong_current_device.h"

namespace xfer {
namespace {

constexpr std::size_t kMaxRecent = std::size_t{1} << 18;
constexpr std::size_t kMaxPendingArguments = 4096;

void note_time(std::vector<Time>& times, std::int16_t device, Time now) {
  if (device < 0) return;
  const auto index = static_cast<std::size_t>(device);
  if (index >= times.size()) times.resize(index + 1);
  times[index] = now;
}

using Detectors = std::vector<std::unique_ptr<Detector>>;

template <class... Each>
Detectors detectors_of(Scene& scene) {
  Detectors all;
  (all.push_back(std::make_unique<Each>(scene)), ...);
  return all;
}

}  // namespace

struct Engine::State {
  explicit State(const EngineOptions& options)
      : memory([this](const TransferPtr& gone, const Event& cause) {
          for (const auto& detector : detectors) detector->ended(gone, cause);
        }),
        scene(options, memory) {}

  ShadowMap memory;
  Scene scene;
  // The first that calls an upload a no-op has it. A transfer charged to one rule is not charged to
  // a later one, so the rule whose remedy ends the others' findings too is first.
  Detectors detectors =
      detectors_of<ImplicitTransfer, RepeatedTransfer, RoundTrip, ThroughHost, UnusedTransfer,
                   PageableAsync, PinnedWait, NeedlessSync, HiddenSync, AllocInLoop, AllocRounds,
                   PoolTrims, SmallCopies, UploadBursts, HostAccess, UseAfterFree, Leak,
                   ReadBeforeSync, AsyncSourceReuse, WrongCurrentDevice, SyncInLoop, BlockingRow,
                   PageableSteps, DrainingUpload, SlowCopy, ExposedCopy>(scene);

  Remembered<std::uint64_t, TransferPtr> recent{kMaxRecent};  // by correlation
  struct Written {
    std::uint32_t site;
    std::uint64_t allocation;
  };
  Remembered<RangeKey, Written, RangeKeyHash> written{kMaxRecent};  // by destination
  StaleContent stale;
  bool stale_on_its_way = false;  // by an asynchronous copy
  bool stale_on_host = false;

  void add(const Event& event);
  void launch(const Event& event);
  void copy(const Event& event);
  void note_wait(const TransferPtr& transfer, bool idle);
  void note_stale(const Event& event);
  void copy_of_unknown_place(const Event& event);
  void upload(const CopyView& copy);
  void download(const CopyView& copy);
  void set(const Event& event);
  void free(const Event& event);
  void content(const Event& event);
  void forget();
};

void Engine::State::add(const Event& event) {
  const Time now = ++scene.now;
  if (event.begin_ns != 0) {
    scene.run.begin_ns = std::min(scene.run.begin_ns, event.begin_ns);
    scene.run.end_ns = std::max(scene.run.end_ns, event.end_ns);
  }
  if (event.kind == EventKind::kDropped) return forget();
  if ((event.flags & kCaptured) != 0) return;
  if ((event.flags & kFailed) != 0) {
    for (const auto& detector : detectors) detector->failed(event);
    if (event.kind == EventKind::kLaunch)
      std::erase_if(scene.arguments, [&](const Event& argument) {
        return argument.correlation == event.correlation;
      });
    return;
  }
  if (stale_on_its_way) note_stale(event);
  if (event.address == kUnrecordedAddress &&
      (event.kind == EventKind::kAlloc || event.kind == EventKind::kFree)) {
    for (const auto& detector : detectors) detector->see_unplaced(event);
    return;
  }
  scene.steps.see(event);
  scene.work.see(event);
  for (const auto& detector : detectors) detector->see(event);
  switch (event.kind) {
    case EventKind::kAlloc:
      if ((event.flags & kSuballocation) == 0) scene.freed.allocated(event);
      if (event.space == Space::kDevice || (event.flags & kSuballocation) != 0)
        memory.allocate(event);
      break;
    case EventKind::kFree: free(event); break;
    case EventKind::kCopy: copy(event); break;
    case EventKind::kSet: set(event); break;
    case EventKind::kLaunchArg:
      if (scene.arguments.size() >= kMaxPendingArguments) {
        // Launches that never came; one that comes may have lost its arguments.
        scene.arguments.clear();
        scene.distrust(now);
      }
      scene.arguments.push_back(event);
      break;
    case EventKind::kLaunch: launch(event); break;
    case EventKind::kSync:
      if ((event.flags & kAsync) == 0) scene.waits.next_wait(event);
      scene.order.sync(event, now);
      break;
    case EventKind::kStreamCreate: scene.order.create(event); break;
    case EventKind::kStreamDestroy: scene.order.destroy(event); break;
    case EventKind::kEventRecord: scene.order.record(event, now); break;
    case EventKind::kStreamWait: scene.order.wait(event, now); break;
    case EventKind::kDeviceTime:
      if (TransferPtr* transfer = recent.find(event.correlation))
        scene.groups.device_time(**transfer, duration_ns(event));
      break;
    case EventKind::kContent: content(event); break;
    case EventKind::kSourceChanged:
      for (const auto& detector : detectors) detector->source_changed(event);
      break;
    case EventKind::kHostFunction: scene.order.run(event, now); break;
    case EventKind::kBufferName:
      scene.names.add(event, memory.find(event.address, event.bytes));
      break;
    case EventKind::kHostAccess:
    case EventKind::kScopeBegin:
    case EventKind::kScopeEnd:
    case EventKind::kPeerAccess:
    case EventKind::kUnread:
    case EventKind::kUnseen:
    case EventKind::kHostClock:
    case EventKind::kDropped: break;
  }
  scene.pending.see(event, now, scene.order, memory);
}

void Engine::State::launch(const Event& event) {
  const Work work{scene.order.run(event, scene.now), scene.now};
  note_time(scene.last_launch, event.device, scene.now);
  const bool touches_all = (event.flags & kMayTouchAll) != 0 || scene.unseen_writers ||
                           (scene.addresses_on_device && (event.flags & kArgumentsOnly) == 0);
  const bool skipped = (event.flags & kSkipped) != 0;
  if (touches_all) memory.kernel_may_touch_all(work, scene.order);
  if (touches_all && skipped) stale.skipped_all();
  std::erase_if(scene.arguments, [&](const Event& argument) {
    if (argument.correlation != event.correlation) return false;
    if (skipped && (argument.flags & kWrites) != 0)
      if (const Allocation* allocation = memory.find(argument.address)) stale.skipped(*allocation);
    const bool is_output = (argument.flags & (kReads | kWrites | kStrided)) == kWrites;
    if (is_output && argument.bytes != 0 && !touches_all)
      memory.kernel_output(argument, work, scene.order);
    else if (!touches_all || (argument.flags & kWrites) != 0)
      memory.kernel_argument(argument, work, scene.order);
    return true;
  });
}

void Engine::State::copy(const Event& event) {
  if (event.bytes == 0) return;
  if ((event.flags & kHoldsAddresses) != 0) scene.addresses_on_device = true;
  const bool waits = (event.flags & kAsync) == 0;
  const bool idle = !waits || scene.order.idle(event);
  const StreamId stream = scene.order.run(event, scene.now);
  const std::uint64_t to_extent = extent_at_address(event);
  const std::uint64_t from_extent = extent_at_source(event);
  Allocation* const to = memory.find(event.address, to_extent);
  Allocation* const from = memory.find(event.source, from_extent);
  const bool place_known = to_extent >= event.bytes && from_extent >= event.bytes;
  const bool crosses =
      (to == nullptr && memory.overlaps(event.address, std::max<std::uint64_t>(to_extent, 1))) ||
      (from == nullptr && memory.overlaps(event.source, std::max<std::uint64_t>(from_extent, 1)));
  if (!place_known || crosses) return copy_of_unknown_place(event);
  if (to == nullptr && from == nullptr) return;

  const auto transfer = std::make_shared<Transfer>();
  transfer->event = event;
  transfer->time = scene.now;
  transfer->first_sent = scene.now;
  CopyView view{transfer, to != nullptr ? to : from, nullptr, stream};
  transfer->allocation = view.allocation->id;
  transfer->event.name =
      scene.names.of(*view.allocation, to != nullptr ? event.address : event.source);
  transfer->certain = memory.writers_done(*view.allocation, stream, scene.order);
  if (to == nullptr || from == nullptr) note_wait(transfer, idle);
  if (to == nullptr) {
    transfer->kind = TransferKind::kDownload;
    if (is_host(event.space)) {
      transfer->event.device = -1;
      transfer->event.source_device = from->device;
      download(view);
    }
    memory.read(*from, event.source, from_extent);
    return;
  }

  transfer->event.device = to->device;
  transfer->maybe_used =
      (event.flags & kMayTouchAll) != 0 || !memory.touchers_done(*to, stream, scene.order);
  if (from == nullptr && is_host(event.source_space)) {
    transfer->kind = TransferKind::kUpload;
    transfer->event.source_device = -1;
    return upload(view);
  }
  if (from != nullptr) {
    transfer->event.source_device = from->device;
    const bool settled = memory.writers_done(*from, stream, scene.order);
    const TransferPtr source =
        settled ? memory.holder(*from, event.source, from_extent) : TransferPtr();
    memory.read(*from, event.source, from_extent);
    if (source != nullptr && source->hashed() && source->event.bytes == event.bytes) {
      transfer->event.flags |= kHashed;
      transfer->event.hash_lo = source->event.hash_lo;
      transfer->event.hash_hi = source->event.hash_hi;
      transfer->first_sent = source->first_sent;
    }
    if (from->device != to->device) {
      transfer->kind = TransferKind::kPeer;
      return upload(view);
    }
  }
  transfer->kind = TransferKind::kDeviceCopy;
  memory.write(*to, event.address, to_extent, scene.now, transfer, !transfer->strided(), event);
}

// `idle`: its stream had nothing else to do.
void Engine::State::note_wait(const TransferPtr& transfer, bool idle) {
  if ((transfer->event.flags & kAsync) != 0) {
    transfer->saving_ns = transfer->host_ns();
    return;
  }
  transfer->behind = !idle;
  constexpr std::uint64_t kBytesPerNs = 10;  // what a bus moves, about
  const std::uint64_t own = transfer->event.bytes / kBytesPerNs;
  const std::uint64_t all = transfer->host_ns();
  scene.waits.next_wait(transfer->event);
  scene.waits.waited(transfer, idle || all < own ? 0 : all - own);
}

// From the first call on that may tell the host that such content is there, it may use it.
void Engine::State::note_stale(const Event& event) {
  if (scene.first_stale != 0) return;
  switch (event.kind) {
    case EventKind::kSync:
    case EventKind::kFree:
    case EventKind::kHostFunction:
    case EventKind::kHostAccess: stale_on_host |= stale_on_its_way; break;
    case EventKind::kCopy:
    case EventKind::kSet: stale_on_host |= stale_on_its_way && (event.flags & kAsync) == 0; break;
    default: break;
  }
  if (stale_on_host) scene.first_stale = scene.now;
}

// Where it reads or writes is not known exactly: all that it may concern counts as used and
// changed.
void Engine::State::copy_of_unknown_place(const Event& event) {
  for (const std::uint64_t address :
       {event.address, event.address + std::max<std::uint64_t>(extent_at_address(event), 1) - 1,
        event.source, event.source + std::max<std::uint64_t>(extent_at_source(event), 1) - 1})
    if (Allocation* allocation = memory.find(address))
      memory.write_somewhere(*allocation, scene.now);
}

void Engine::State::upload(const CopyView& known) {
  CopyView view = known;
  Transfer& transfer = *view.transfer;
  const Event& event = transfer.event;
  if (transfer.certain)
    view.holder = memory.holder(*view.allocation, event.address, transfer.extent());
  transfer.stale = stale.holds(transfer);
  recent.put(event.correlation, view.transfer);

  bool changes_nothing = false;
  for (const auto& detector : detectors)
    if (!changes_nothing) changes_nothing = detector->upload(view);
  if (changes_nothing) return;

  const RangeKey key{event.address, transfer.extent(), event.device};
  if (const Written* before = written.find(key);
      before != nullptr && before->site == event.site && before->allocation == transfer.allocation)
    scene.groups.note_renewal(transfer);
  written.put(key, {event.site, transfer.allocation});
  memory.write(*view.allocation, event.address, transfer.extent(), scene.now, view.transfer,
               !transfer.strided(), event);
}

void Engine::State::download(const CopyView& known) {
  CopyView view = known;
  Transfer& transfer = *view.transfer;
  if (transfer.certain)
    view.holder = memory.holder(*view.allocation, transfer.event.source, transfer.source_extent());
  transfer.stale = view.holder == nullptr && stale.may_be_in(*view.allocation);
  if (transfer.stale) {
    stale.downloaded(transfer);
    const bool on_its_way =
        (transfer.event.flags & kAsync) != 0 && transfer.event.space == Space::kPinned;
    (on_its_way ? stale_on_its_way : stale_on_host) = true;
    note_stale(transfer.event);
  }
  recent.put(transfer.event.correlation, view.transfer);
  scene.groups.count_copy(transfer, false);
  for (const auto& detector : detectors) detector->download(view);
  if ((transfer.event.flags & kAsync) == 0) scene.order.host_waited(view.stream, scene.now);
}

void Engine::State::set(const Event& event) {
  if (event.bytes == 0) return;
  scene.order.run(event, scene.now);
  const std::uint64_t extent = extent_at_address(event);
  Allocation* const allocation = memory.find(event.address, extent);
  if (allocation == nullptr || extent < event.bytes) return copy_of_unknown_place(event);
  memory.write(*allocation, event.address, extent, scene.now, nullptr,
               (event.flags & kStrided) == 0, event);
}

void Engine::State::free(const Event& event) {
  const Allocation* const gone = memory.find(event.address);
  if (gone != nullptr && gone->begin == event.address && !memory.is_pool(event.address) &&
      (event.flags & (kSuballocation | kMayTouchAll)) == 0)
    scene.freed.freed(*gone, event);
  else if (event.space == Space::kPinned && (event.flags & kSuballocation) == 0)
    if (const ByteRange pinned = scene.pending.pinned_around(event.address); pinned.end != 0)
      scene.freed.freed_pinned(pinned.begin, pinned.end, event);
  memory.free(event);
}

void Engine::State::content(const Event& event) {
  TransferPtr* const transfer = recent.find(event.correlation);
  if (transfer == nullptr || (*transfer)->hashed() || (event.flags & kHashed) == 0) return;
  const TransferPtr known = *transfer;
  known->event.flags |= static_cast<std::uint16_t>(kHashed | (event.flags & kUnchanged));
  known->event.hash_lo = event.hash_lo;
  known->event.hash_hi = event.hash_hi;
  if (known->stale) stale.downloaded(*known);
  for (const auto& detector : detectors) detector->content(known);
}

void Engine::State::forget() {
  memory.forget();
  scene.arguments.clear();
  written.clear();
  scene.order = {};
  scene.freed.forget();
  scene.pending = {};
  scene.work.forget();
  for (const auto& detector : detectors) detector->forget();
}

Engine::Engine(const EngineOptions& options) : state_(std::make_unique<State>(options)) {}
Engine::~Engine() = default;

void Engine::add(const Event& event) { state_->add(event); }

std::vector<EngineFinding> Engine::finish(Ending ending) {
  State& state = *state_;
  state.scene.ending = ending;
  if (ending != Ending::kBrokenOff) state.memory.end_program();
  state.scene.steps.settle();
  state.scene.work.settle();
  for (const auto& detector : state.detectors) detector->finish();
  state.scene.waits.finish();
  return state.scene.groups.finish(state.scene.in_use_ns());
}

}  // namespace xfer
