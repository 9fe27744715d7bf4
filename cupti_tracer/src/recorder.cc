#include "recorder.h"

#include <cstring>
#include <utility>

#include "host_content.h"

namespace xfer::tracer {
namespace {

constexpr std::uint64_t kLegacyStream =
    1;  // cudaStreamLegacy; cudaStreamPerThread is kThreadStream

void set_hash(Event& event, const std::optional<ContentHash>& hash) {
  if (!hash) return;
  event.flags |= kHashed;
  event.hash_lo = hash->lo;
  event.hash_hi = hash->hi;
}

}  // namespace

std::uint64_t stream_name(std::uint64_t handle, bool thread_stream) {
  if (handle == kLegacyStream) return 0;
  return handle == 0 && thread_stream ? kThreadStream : handle;
}

Recorder::Recorder(EventQueue& queue, KernelTable& kernels, RecorderOptions options,
                   PointerQuery query, HostUse use, TouchQuery touched, HostWatch watch,
                   GraphQuery graphs, VariableQuery variables)
    : queue_(queue),
      kernels_(kernels),
      options_(options),
      query_(std::move(query)),
      unread_(use, options.watch_plain_memory),
      managed_(std::move(use)),
      touched_(std::move(touched)),
      graph_touched_(graphs.touched),
      graphs_(memory_, std::move(graphs), query_),
      variables_(std::move(variables)),
      budget_(options.hash_budget),
      in_flight_(std::move(watch),
                 options.hash ? [this](const CopyCall& transfer) { return source_now(transfer); }
                              : SourceReader()) {}

Recorder::SideMemory Recorder::locate(const CopySide& side, std::uint64_t bytes,
                                      std::int16_t current) const {
  SideMemory place;
  const std::int16_t device = side.device == kCurrentDevice ? current : side.device;
  if (side.array || side.symbol) {  // reached by kernels in ways that no parameter shows
    place.device = device;
    return place;
  }
  if (const auto allocation = memory_.find(side.address)) {
    place.device = allocation->device;
    place.known = side.address + bytes <= allocation->end && !allocation->registered;
    if (allocation->shared) return place;
    place.space = allocation->space;
    place.readable_host = place.space == Space::kPinned && !allocation->uncached;
    return place;
  }
  if (side.side == Side::kDevice) {  // memory that came another way: imported, mapped, a symbol's
    place.device = device;
    return place;
  }
  place.space = side.side == Side::kHost ? Space::kPageable
                : query_                 ? query_(side.address)
                                         : Space::kUnknown;
  place.readable_host = is_host(place.space);
  if (!is_host(place.space)) place.device = device;
  return place;
}

Event Recorder::base_event(const OpenCall& open, EventKind kind) const {
  Event event;
  event.kind = kind;
  event.device = open.at.device;
  event.thread = open.at.thread;
  event.site = open.at.site;
  event.correlation = open.at.correlation;
  event.begin_ns = open.at.begin_ns;
  event.end_ns = open.at.begin_ns;
  event.stream = stream_name(open.call.stream, open.call.thread_stream);
  if (open.call.async) event.flags |= kAsync;
  if (open.at.captured) event.flags |= kCaptured;
  return event;
}

bool Recorder::may_hash(const SideMemory& place, std::uint64_t bytes) const {
  return options_.hash && place.readable_host &&
         (options_.hash_max_bytes == 0 || bytes <= options_.hash_max_bytes);
}

bool Recorder::wants_content(const CopyCall& transfer, const CopySide& side) {
  const std::uint64_t bytes = transfer.bytes();
  const bool whole = transfer.extent(side) == bytes;
  return budget_.wants(whole ? reinterpret_cast<const void*>(side.address) : nullptr, bytes);
}

void Recorder::enter(OpenCall& open) {
  open.parts.clear();
  open.freed.reset();
  switch (open.call.op) {
    case Op::kSync: wait_begins(open); break;
    case Op::kCopy:
      if (!open.call.async) wait_begins(open);
      enter_copy(open, open.call.transfer);
      for (const CopyCall& transfer : open.call.more) enter_copy(open, transfer);
      break;
    case Op::kSet: enter_set(open); break;
    case Op::kFree: enter_free(open); break;
    case Op::kLaunch: enter_launch(open); break;
    case Op::kGraphLaunch: enter_graph_launch(open); break;
    case Op::kStreamDestroy: enter_stream_event(open, EventKind::kStreamDestroy); break;
    case Op::kEventRecord:
      enter_stream_event(open, EventKind::kEventRecord);
      // Another process may wait for it, and tell this one.
      if (shares_events_.load(std::memory_order_relaxed))
        enter_stream_event(open, EventKind::kHostFunction);
      break;
    case Op::kSharedEvent: shares_events_.store(true, std::memory_order_relaxed); break;
    case Op::kStreamWait: enter_stream_event(open, EventKind::kStreamWait); break;
    case Op::kCaptureBegin: captures_.fetch_add(1, std::memory_order_relaxed); break;
    case Op::kOpaqueAccess: opaque_access_.store(true, std::memory_order_relaxed); break;
    case Op::kExport: enter_export(open); break;
    case Op::kHostFunction:  // it may change what a download brought before the host's next sync
      in_flight_.spoil_all();
      enter_stream_event(open, EventKind::kHostFunction);
      break;
    case Op::kPeerAccess: enter_peer_access(open); break;
    case Op::kUnmodelled:
      count_unmodelled();
      // Of how much of the memory beside the array, is not known.
      if (open.call.transfer.in_elements) opaque_access_.store(true, std::memory_order_relaxed);
      in_flight_.spoil_all();
      break;
    default: break;
  }
}

CopyCall Recorder::resolve(const OpenCall& open, CopyCall transfer) {
  for (CopySide* const side : {&transfer.destination, &transfer.source}) {
    const auto place = side->symbol ? variables_.find(side->address) : std::nullopt;
    if (!place) continue;
    const DeviceVariable& variable = place->variable;
    side->address = place->address;
    side->symbol = false;
    side->side = Side::kDevice;
    if (!variables_.add(variable, open.at.device)) continue;
    memory_.insert({variable.begin, variable.begin + variable.bytes, Space::kDevice, open.at.device,
                    false, false});
    Event event = base_event(open, EventKind::kAlloc);
    event.site = 0;  // no call made it
    event.flags = kAsync | kRegistered;
    event.space = Space::kDevice;
    event.address = variable.begin;
    event.bytes = variable.bytes;
    queue_.append(event);
  }
  return transfer;
}

void Recorder::enter_copy(OpenCall& open, const CopyCall& named) {
  const CopyCall transfer = resolve(open, named);
  // Before the memory's next use.
  if (unread_.has_news()) lose(0, 0);
  const std::uint64_t bytes = transfer.bytes();
  if (bytes == 0) return;
  const std::uint64_t destination_extent = transfer.extent(transfer.destination);
  const SideMemory to = locate(transfer.destination, destination_extent, open.at.device);
  const std::uint64_t source_extent = transfer.extent(transfer.source);
  SideMemory from = locate(transfer.source, source_extent, open.at.device);

  Event event = base_event(open, EventKind::kCopy);
  event.space = to.space;
  event.source_space = from.space;
  event.device = is_host(to.space) ? std::int16_t{-1} : to.device;
  event.source_device = is_host(from.space) ? std::int16_t{-1} : from.device;
  event.address = transfer.destination.address;
  event.source = transfer.source.address;
  event.bytes = bytes;
  if (transfer.strided()) {
    event.flags |= kStrided;
    event.extent = destination_extent;
    event.source_extent = source_extent;
    const CopyCall::Steps to_steps = transfer.steps(transfer.destination);
    const CopyCall::Steps from_steps = transfer.steps(transfer.source);
    event.pitch = to_steps.pitch;
    event.slice_pitch = to_steps.slice_pitch;
    event.source_pitch = from_steps.pitch;
    event.source_slice_pitch = from_steps.slice_pitch;
  }
  if (from.readable_host && !from.known)
    from.readable_host = from.known = is_readable(transfer.source.address, source_extent);
  if (is_host(to.space)) {
    lose(event.address, event.address + destination_extent);
    unread_.begins(event);
  }

  if (open.implicit != 0) event.flags |= kImplicit;
  if (transfer.takes_source) event.flags |= kTakesSource;

  OpenCall::Part part{0, event, transfer, false, false};
  const bool search = !is_host(to.space) && may_hold_addresses(transfer, from);
  if (from.readable_host) {
    // It is read now; the device reads it when what comes first may have written there.
    if (in_flight_.may_write(event.source, event.source + source_extent))
      from.readable_host = false;
    enter_upload(part.event, transfer, from, search);
  } else if (from.space == Space::kDevice && !open.at.captured && may_hash(to, bytes)) {
    // A download into pageable memory has arrived when the call returns, asynchronous or not.
    const bool later = open.call.async && to.space == Space::kPinned;
    part.hash_at_exit = !later;
    // The copies of a batch share one correlation, which could not tell their contents apart.
    part.hash_at_sync = later && open.call.more.empty();
  }
  part.ticket = queue_.reserve(part.event);
  open.parts.push_back(part);
}

void Recorder::enter_upload(Event& event, const CopyCall& transfer, const SideMemory& from,
                            bool search) {
  const bool hash = (event.flags & kCaptured) == 0 && may_hash(from, event.bytes) && from.known &&
                    wants_content(transfer, transfer.source);
  if (!hash && !search) return;
  if (!hash && !budget_.affords(transfer.extent(transfer.source))) {
    unsearched_.fetch_add(1, std::memory_order_relaxed);
    event.flags |= kHoldsAddresses;
    return;
  }
  // The program's call takes its time from here on.
  event.begin_ns += budget_.spend(event.bytes, [&] {
    if (search)
      read_upload(event, transfer, from, hash);
    else
      set_hash(event, hash_side(transfer, transfer.source, true));
  });
}

void Recorder::read_upload(Event& event, const CopyCall& transfer, const SideMemory& from,
                           bool hash) const {
  const auto* data = reinterpret_cast<const void*>(transfer.source.address);
  const std::uint64_t whole = transfer.extent(transfer.source);
  bool near = true;
  if (hash && whole == transfer.bytes()) {
    const SearchedContent content =
        content_hash_and_search(data, whole, memory_.device_addresses());
    set_hash(event, content.hash);
    near = content.holds_word;
  } else if (hash) {
    set_hash(event, hash_side(transfer, transfer.source, from.known));
  }
  if (near && memory_.holds_device_pointer(data, whole)) event.flags |= kHoldsAddresses;
}

void Recorder::enter_set(OpenCall& open) {
  const CopyCall& transfer = open.call.transfer;
  if (transfer.bytes() == 0) return;
  const std::uint64_t whole = transfer.extent(transfer.destination);
  const SideMemory to = locate(transfer.destination, whole, open.at.device);
  if (is_host(to.space)) lose(transfer.destination.address, transfer.destination.address + whole);
  Event event = base_event(open, EventKind::kSet);
  event.space = to.space;
  if (to.device >= 0) event.device = to.device;
  transfer.put_side(transfer.destination, &event);
  open.parts.push_back({queue_.reserve(event), event, transfer, false, false});
}

void Recorder::enter_free(OpenCall& open) {
  if (open.call.address == 0) return;
  // Before the call: another thread may be given the same address as soon as it returns.
  open.freed = memory_.erase(open.call.address);
  if (!open.freed) {  // memory that was not seen, or is gone: CUDA knows which
    Event event = base_event(open, EventKind::kFree);
    event.address = open.call.address;
    open.parts.push_back({queue_.reserve(event), event, {}, false, false});
    return;
  }
  if (is_host(open.freed->space)) lose(open.freed->begin, open.freed->end);
  Event event = base_event(open, EventKind::kFree);
  event.address = open.freed->begin;
  event.bytes = open.freed->bytes();
  event.space = open.freed->space;
  event.device = open.freed->device;
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

// Another process may read and change this memory from now on: nothing that happens to it is known.
void Recorder::enter_export(OpenCall& open) {
  memory_.share(open.call.address);
  const auto allocation = memory_.find(open.call.address);
  if (!allocation) return;
  Event reader = base_event(open, EventKind::kLaunch);
  reader.flags |= kAsync | kMayTouchAll;
  queue_.append(reader);
  Event event = base_event(open, EventKind::kFree);
  event.flags |= kMayTouchAll;
  event.address = allocation->begin;
  event.bytes = allocation->bytes();
  event.space = allocation->space;
  event.device = allocation->device;
  queue_.append(event);
}

void Recorder::enter_stream_event(OpenCall& open, EventKind kind) {
  Event event = base_event(open, kind);
  event.event_id = open.call.event;
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

void Recorder::enter_peer_access(OpenCall& open) {
  Event event = base_event(open, EventKind::kPeerAccess);
  event.source_device = open.call.peer;
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

void Recorder::exit(OpenCall& open, bool failed, std::uint64_t end_ns) {
  for (OpenCall::Part& part : open.parts) exit_part(open, part, failed, end_ns);
  switch (open.call.op) {
    case Op::kFree:
      if (failed && open.freed) memory_.insert(*open.freed);
      break;
    case Op::kAlloc:
    case Op::kRegister:
      if (!failed) exit_alloc(open, end_ns);
      break;
    case Op::kStreamCreate:
      if (!failed) {
        Event event = base_event(open, EventKind::kStreamCreate);
        event.stream = open.call.made();
        if (open.call.nonblocking) event.flags |= kAsync;
        event.end_ns = end_ns;
        note(event);
        queue_.append(event);
      }
      break;
    case Op::kSync: exit_sync(open, failed, end_ns); break;
    case Op::kQuery:
      if (!failed) exit_sync(open, false, end_ns);
      break;
    case Op::kCaptureBegin:
      if (failed) captures_.fetch_sub(1, std::memory_order_relaxed);
      break;
    case Op::kCaptureEnd:
      if (captures_.fetch_sub(1, std::memory_order_relaxed) <= 0) captures_.store(0);
      break;
    case Op::kDeviceReset:
      if (!failed) exit_reset(open);
      break;
    case Op::kGraphMade:
    case Op::kGraphUpdated:
    case Op::kGraphNodeSet:
    case Op::kGraphNodeOnOff:
    case Op::kGraphGone:
      if (!failed) graphs_.see(open.call);
      break;
    default: break;
  }
  open.call.op = Op::kNone;
}

// Copies on their way to the same bytes no longer decide what arrives there.
void Recorder::lose(std::uint64_t begin, std::uint64_t end) {
  in_flight_.spoil(begin, end);
  if (const std::vector<Event> unread = unread_.gone(begin, end); !unread.empty())
    queue_.append(unread);
}

void Recorder::wait_begins(OpenCall& open) {
  if (std::exchange(open.clock_read, false)) queue_.append(base_event(open, EventKind::kHostClock));
  if (const std::vector<Event> unseen = unread_.so_far(); !unseen.empty()) queue_.append(unseen);
  if (const std::vector<Event> unseen = managed_.so_far(); !unseen.empty()) queue_.append(unseen);
}

void Recorder::exit_part(OpenCall& open, OpenCall::Part& part, bool failed, std::uint64_t end_ns) {
  Event& event = part.event;
  event.end_ns = end_ns;
  if (failed) {
    event.flags |= kFailed;
    event.flags &= static_cast<std::uint16_t>(~kHashed);
  } else if (part.hash_at_exit) {
    const CopySide side = unread_.untouched(part.transfer.destination);
    if ((event.space == Space::kPinned || is_readable(side.address, part.transfer.extent(side))) &&
        wants_content(part.transfer, side))
      budget_.spend(event.bytes, [&] { set_hash(event, hash_side(part.transfer, side, true)); });
  }
  if ((event.flags & (kHoldsAddresses | kFailed | kCaptured)) == kHoldsAddresses)
    addresses_seen_.store(true, std::memory_order_relaxed);
  if (event.kind == EventKind::kCopy && !failed) unread_.made(event);
  if (!failed) exit_launch(part);
  if (!failed && part.graph) add_graph_touches(part);
  const std::vector<Download> arrived = note(
      event, {&part.transfer, part.hash_at_sync, part.arguments, part.sides, part.is_plain_graph});
  open.done.add(event);
  queue_.complete(part.ticket, event, std::move(part.arguments));
  settle(arrived);
}

void Recorder::append(OpenCall& open, const Event& event) {
  open.done.add(event);
  const std::vector<Download> arrived = note(event);
  queue_.append(event);
  settle(arrived);
}

std::vector<Download> Recorder::note(const Event& event, const InFlight::Details& details) {
  InFlight::News news = in_flight_.see(event, details);
  if (!news.changed.empty()) queue_.append(news.changed);
  return std::move(news.arrived);
}

std::optional<ContentHash> Recorder::source_now(const CopyCall& transfer) {
  const CopySide side = unread_.untouched(transfer.source);
  std::optional<ContentHash> hash;
  if (!wants_content(transfer, side)) return hash;
  budget_.spend(transfer.bytes(), [&] { hash = hash_side(transfer, side, false); });
  return hash;
}

void Recorder::exit_alloc(OpenCall& open, std::uint64_t end_ns) {
  const ApiCall& call = open.call;
  const bool registered = call.op == Op::kRegister;
  const std::uint64_t address = registered ? call.address : call.made();
  const std::uint64_t bytes = call.allocated();
  if (address == 0 || bytes == 0) return;
  const std::int16_t device = is_host(call.space) ? std::int16_t{-1} : open.at.device;
  memory_.insert({address, address + bytes, call.space, device, call.uncached, false, registered});
  Event event = base_event(open, EventKind::kAlloc);
  if (registered) event.flags |= kRegistered;
  event.address = address;
  event.bytes = bytes;
  event.space = call.space;
  event.device = device;
  event.end_ns = end_ns;
  append(open, event);
}

void Recorder::exit_sync(OpenCall& open, bool failed, std::uint64_t end_ns) {
  Event event = base_event(open, EventKind::kSync);
  event.sync = open.call.scope;
  event.event_id = open.call.event;
  event.end_ns = end_ns;
  if (open.call.op == Op::kQuery) event.flags |= kAsync;
  if (failed) event.flags |= kFailed;
  append(open, event);
}

void Recorder::exit_reset(const OpenCall& open) {
  for (const Allocation& allocation : memory_.erase_device(open.at.device)) {
    Event event = base_event(open, EventKind::kFree);
    event.address = allocation.begin;
    event.bytes = allocation.bytes();
    event.space = allocation.space;
    event.device = allocation.device;
    event.sync = SyncScope::kDevice;
    queue_.append(event);
  }
  Event reset = base_event(open, EventKind::kFree);
  reset.sync = SyncScope::kDevice;
  queue_.append(reset);
}

void Recorder::settle(const std::vector<Download>& downloads) {
  for (const Download& download : downloads) {
    Event event;
    event.kind = EventKind::kContent;
    event.correlation = download.event.correlation;
    event.thread = download.event.thread;
    const CopySide side = unread_.untouched(download.transfer.destination);
    if (!wants_content(download.transfer, side)) continue;
    const auto allocation = memory_.find(side.address);
    const bool known = allocation && !allocation->registered;
    budget_.spend(download.event.bytes,
                  [&] { set_hash(event, hash_side(download.transfer, side, known)); });
    if ((event.flags & kHashed) != 0) queue_.append(event);
  }
}

std::optional<Event> Recorder::fault(std::uint64_t address) const {
  const auto allocation = memory_.find_from_signal(address);
  if (!allocation || allocation->shared) return std::nullopt;
  Event event;
  event.kind = EventKind::kHostAccess;
  event.space = allocation->space;
  event.device = allocation->device;
  event.address = address;
  event.bytes = 1;
  return event;
}

void Recorder::block(const CallSite& at, std::uint64_t address, std::uint64_t bytes, bool alloc) {
  OpenCall open;
  open.at = at;
  Event event = base_event(open, alloc ? EventKind::kAlloc : EventKind::kFree);
  event.flags |= kSuballocation;
  event.space = at.device < 0 ? Space::kPinned : Space::kDevice;
  event.address = address;
  event.bytes = bytes;
  queue_.append(event);
}

void Recorder::buffer_name(const CallSite& at, std::uint64_t address, std::uint64_t bytes,
                           std::uint32_t name) {
  OpenCall open;
  open.at = at;
  Event event = base_event(open, EventKind::kBufferName);
  event.address = address;
  event.bytes = bytes;
  event.name = name;
  queue_.append(event);
}

void Recorder::scope_begin(const CallSite& at, std::uint32_t name, std::uint32_t id) {
  OpenCall open;
  open.at = at;
  Event event = base_event(open, EventKind::kScopeBegin);
  event.name = name;
  event.event_id = id;
  queue_.append(event);
}

void Recorder::scope_end(const CallSite& at, std::uint32_t id) {
  OpenCall open;
  open.at = at;
  Event event = base_event(open, EventKind::kScopeEnd);
  event.event_id = id;
  queue_.append(event);
}

}  // namespace xfer::tracer
