#pragma once
// Event: what happened at the host-device border, one fixed-layout record each. The tracer writes
// them, the trace file keeps them, the engine reads them in the order in which the calls were made.

#include <cstdint>
#include <type_traits>

namespace xfer {

enum class EventKind : std::uint8_t {
  kAlloc,      ///< address, bytes, space, device
  kFree,       ///< address; `sync` kDevice: with all else on `device`, by a reset, which also gives
               ///< one kFree of address 0; kMayTouchAll: it is still there, but others may read and
               ///< change it from now on
  kCopy,       ///< destination `address` in `space`, source `source` in `source_space`, bytes
  kSet,        ///< address, bytes: a device-side fill
  kLaunch,     ///< a kernel; name in `name`. kLaunchArg records of the same correlation precede
               ///< it. Launching a graph is a kLaunch with kMayTouchAll
  kLaunchArg,  ///< one buffer that the next kLaunch may touch: address, kReads / kWrites; bytes
               ///< when the extent is known, 0: anything in the allocation that holds it; `source`:
               ///< which parameter of the kernel `name` it is, from 1 (0: not known). kWrites
               ///< alone, with bytes: it wrote each of them, and read none. kStrided: rows
  kSync,       ///< host waits: for `stream`, for `event_id`, or for the device
  kStreamCreate,  ///< stream; kAsync: it does not wait for the default stream (non-blocking)
  kStreamDestroy,
  kEventRecord,   ///< event_id recorded on stream
  kStreamWait,    ///< stream waits for event_id
  kHostAccess,    ///< the host touched `address`, bytes, in memory of `space`; kReads / kWrites
                  ///< where it is known which
  kScopeBegin,    ///< name; event_id: tells it from the others of its thread, so that it need not
                  ///< end in their order (0: they nest)
  kScopeEnd,      ///< of that event_id (0: the innermost that has none)
  kDeviceTime,    ///< device_begin_ns, device_end_ns of the work with this correlation. Of a copy
                  ///< that a graph made: bytes and both spaces, since no other event tells of it
  kDropped,       ///< `bytes` events were lost here
  kContent,       ///< hash_lo/hash_hi of the copy with this correlation, known only now (an
                  ///< asynchronous copy to the host, at the sync that covers it)
  kHostFunction,  ///< something on `stream` that may tell the host how far it is, other than a sync
  kPeerAccess,    ///< kernels on `device` may reach memory of `source_device` from now on (-1: any)
  kUnread,        ///< no host code looked at the `bytes` at `address`, in host memory, that the
                  ///< copy with this correlation brought; now they are overwritten or freed
  kUnseen,     ///< as kUnread, but they are still there: no host code looked so far. Just before a
               ///< call that waits, at the first waits after the copy was asked for
  kHostClock,  ///< the program read a clock in `thread` since it last waited, told as kUnseen is
  kSourceChanged,  ///< the host memory that an asynchronous copy or a graph's copy read held other
                   ///< bytes when the program learned that it was over. All else is the copy's
                   ///< but kMayTouchAll: a kernel whose accesses are not known may have told the
                   ///< program earlier
  kBufferName,     ///< the program calls the `bytes` at `address` `name` (annotate.h)
};

inline constexpr EventKind kLastEventKind = EventKind::kBufferName;

/// The program did something; the others say more of what it did before.
constexpr bool is_call(EventKind kind) {
  return kind != EventKind::kDeviceTime && kind != EventKind::kContent &&
         kind != EventKind::kUnread && kind != EventKind::kUnseen &&
         kind != EventKind::kHostClock && kind != EventKind::kSourceChanged &&
         kind != EventKind::kBufferName && kind != EventKind::kDropped;
}

enum class Space : std::uint8_t { kUnknown, kPageable, kPinned, kDevice, kManaged };

/// Plain or pinned host memory.
constexpr bool is_host(Space space) { return space == Space::kPageable || space == Space::kPinned; }

/// The object that a sync waits for.
enum class SyncScope : std::uint8_t { kNone, kDevice, kStream, kEvent };

enum EventFlag : std::uint16_t {
  kAsync = 1 << 0,  ///< the API call does not promise to wait; a kLaunchArg: a graph's copy or fill
                    ///< touches it, and no kernel
  kReads = 1 << 1,
  kWrites = 1 << 2,
  kMayTouchAll = 1 << 3,     ///< a launch that may touch any buffer: parameters unknown, structs by
                             ///< value, pointers to pointers or to class types, texture and surface
                             ///< objects (their handles are integers); a kLaunchArg: a node of a
                             ///< graph names it, which was freed since (`space`: of what is there
                             ///< now), and kReads or kWrites: a copy or fill uses it; a kCopy or
                             ///< kSet: its addresses stand for no memory, since the tool that
                             ///< recorded it did not note them, and anything may use the data
  kHashed = 1 << 4,          ///< hash_lo/hash_hi hold the content of the bytes copied
  kFailed = 1 << 5,          ///< the call returned an error: nothing was done
  kSkipped = 1 << 6,         ///< an emulated launch without a host version: outputs unchanged
  kCaptured = 1 << 7,        ///< recorded into a graph, not executed
  kStrided = 1 << 8,         ///< a 2D/3D copy or fill, or what a kernel touched: rows with gaps
                             ///< between; `bytes` counts payload, extent / source_extent the ranges
                             ///< with their gaps
  kHoldsAddresses = 1 << 9,  ///< a copy to a device whose payload holds device addresses: kernels
                             ///< may then reach buffers that no parameter names
  kUnchanged = 1 << 10,      ///< checked: the destination held these very bytes before the copy
  kSuballocation = 1 << 11,  ///< an alloc or free of a block that the program's own allocator cut
                             ///< from device or pinned memory that it holds (annotate.h)
  kAllArguments = 1 << 12,   ///< a launch: each parameter that may be a pointer has a kLaunchArg
  kArgumentsOnly = 1 << 13,  ///< a launch whose code touches nothing but its kLaunchArgs' buffers
  kRegistered = 1 << 14,     ///< an alloc: of memory that was there before: pageable memory, which
                             ///< becomes pinned, or a variable of the device's code
  kPlain = kRegistered,      ///< a kLaunchArg: the kernel touched these very bytes, and told others
                             ///< nothing before it ended; a launch of a graph: it tells nothing
  kTakesSource = kRegistered,  ///< a copy: its source is the program's again when it returns
  kImplicit = 1 << 15,         ///< a copy that an operation made for itself (annotate.h)
};

/// `address` of a kAlloc or kFree that another tool recorded without it.
inline constexpr std::uint64_t kUnrecordedAddress = UINT64_MAX;

struct Event {
  EventKind kind{};
  Space space = Space::kUnknown;  ///< of a launch: kDevice, what it touches lies on devices alone
  Space source_space = Space::kUnknown;
  SyncScope sync = SyncScope::kNone;
  std::uint16_t flags = 0;
  std::int16_t device = 0;  ///< where it runs or lives; of a copy, the destination's (-1: host)
  std::int16_t source_device = -1;  ///< of a copy, the source's (-1: host)
  std::uint16_t reserved = 0;
  std::uint32_t thread = 0;
  std::uint32_t site = 0;         ///< call stack, interned by the trace (0: none)
  std::uint32_t name = 0;         ///< string, interned by the trace (0: none)
  std::uint64_t correlation = 0;  ///< joins kLaunchArg and kDeviceTime to their call
  std::uint64_t stream = 0;       ///< 0: the default stream; 2: that of `thread`
  std::uint64_t event_id = 0;
  std::uint64_t address = 0;
  std::uint64_t source = 0;
  std::uint64_t bytes = 0;
  std::uint64_t extent = 0;         ///< kStrided: first to last byte at `address` (0: unknown)
  std::uint64_t source_extent = 0;  ///< kStrided: first to last byte at `source` (0: unknown)
  std::uint64_t pitch = 0;          ///< kStrided: bytes from row to row at `address` (0: unknown)
  std::uint64_t source_pitch = 0;   ///< kStrided: bytes from row to row at `source` (0: unknown)
  std::uint64_t slice_pitch = 0;    ///< and of slices of such rows (0: there is one)
  std::uint64_t source_slice_pitch = 0;
  std::uint64_t hash_lo = 0;
  std::uint64_t hash_hi = 0;
  std::uint64_t begin_ns = 0;  ///< host clock at enter (kDeviceTime: device begin)
  std::uint64_t end_ns = 0;    ///< host clock at exit (kDeviceTime: device end)
};

/// Bytes from the first to the last that it touches at `address`, and a copy at `source`.
constexpr std::uint64_t extent_at_address(const Event& event) {
  return (event.flags & kStrided) != 0 ? event.extent : event.bytes;
}
constexpr std::uint64_t extent_at_source(const Event& event) {
  return (event.flags & kStrided) != 0 ? event.source_extent : event.bytes;
}

/// Pinned or managed memory, which host code and devices reach.
constexpr bool is_reached_by_both(Space space) {
  return space == Space::kPinned || space == Space::kManaged;
}

/// A copy from pinned memory, which it may read later, to a device's memory or array; and one to
/// pinned memory from there.
constexpr bool is_pinned_upload(const Event& copy) {
  return copy.source_space == Space::kPinned && (copy.flags & kTakesSource) == 0 &&
         (copy.space == Space::kDevice || (copy.space == Space::kUnknown && copy.device >= 0));
}
constexpr bool is_pinned_download(const Event& copy) {
  return copy.space == Space::kPinned &&
         (copy.source_space == Space::kDevice ||
          (copy.source_space == Space::kUnknown && copy.source_device >= 0));
}

/// A copy from one device to another on a default stream: it begins when all that was given to
/// either device is over, and all that comes waits for it (CUDA's guide, "peer-to-peer memory
/// copy").
constexpr bool is_between_all_work(const Event& copy) {
  constexpr std::uint64_t kLastDefaultStream = 2;
  return copy.kind == EventKind::kCopy && copy.stream <= kLastDefaultStream && copy.device >= 0 &&
         copy.source_device >= 0 && copy.device != copy.source_device;
}

static_assert(std::is_trivially_copyable_v<Event>);
static_assert(sizeof(Event) == 152);

}  // namespace xfer
