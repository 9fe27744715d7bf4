#pragma once
// One copy across the border, or the write that it left on a device, for as long as somebody asks
// about it.

#include <cstdint>
#include <memory>

#include "order/stream_order.h"
#include "xfer/event.h"
#include "xfer/tally.h"

namespace xfer {

/// The host waits by it for all that the stream was given.
constexpr bool waits_for(const Event& event, std::uint64_t stream) {
  return is_wait(event) && (event.sync == SyncScope::kDevice ||
                            (event.sync == SyncScope::kStream && event.stream == stream));
}

/// Bytes of a copy beside which starting it takes no time.
inline constexpr std::uint64_t kLargeCopy = std::uint64_t{1} << 20;

struct FindingGroup;

/// Why a write on a device is there no more.
enum class End : std::uint8_t { kNone, kOverwritten, kFreed, kProgramEnd, kForgotten };

enum class TransferKind : std::uint8_t {
  kUpload,      ///< host to device
  kPeer,        ///< device to another device
  kDownload,    ///< device to host
  kDeviceCopy,  ///< within a device, or from memory that is not tracked
};

/// How long the host was in the call; of a kDeviceTime, how long the device worked.
inline std::uint64_t duration_ns(const Event& event) {
  return event.end_ns > event.begin_ns ? event.end_ns - event.begin_ns : 0;
}

struct Transfer;
using TransferPtr = std::shared_ptr<Transfer>;

struct Transfer {
  Event event;
  TransferKind kind{};
  Time time = 0;
  Time first_sent = 0;           ///< when the same content was first sent from the same place
  std::uint64_t allocation = 0;  ///< id of the allocation it wrote to (a download: read from)
  std::uint64_t device_ns = 0;
  std::uint64_t busy_ns = 0;     ///< of the call, while the device was at earlier work, where known
  std::uint64_t saving_ns = 0;   ///< what the program would win without it: see MovedWaits
  std::uint64_t gap_ns = 0;      ///< from its end to the thread's next call that waits, once known
  std::uint64_t live_bytes = 0;  ///< of the range it wrote, what still shows it
  FindingGroup* charged = nullptr;
  FindingGroup* returned = nullptr;  ///< the round trips that brought it back
  TransferPtr earlier;               ///< of an upload: an earlier one of the same content
  std::uint32_t repeats = 0;         ///< how many uploads of the same content were freed before it
  bool certain = true;  ///< false: a kernel on another stream may be in the middle of it
  bool stale = false;   ///< its content is not what a real device would give: see StaleContent
  bool behind = false;  ///< the host waited for it, and its stream had other work before it
  bool read_by_copy = false;
  bool sent_again = false;  ///< an upload: the same content from the same place, to other memory
  bool varies = false;      ///< an upload: its line has sent other content from there, too
  bool constant = false;    ///< an upload: its line sends nothing else: see LineContents
  bool changed = false;     ///< a kernel was given it to write to, or a copy wrote part of it
  bool maybe_used = false;  ///< something that cannot be told apart from a use
  bool modified =
      false;  ///< changed, or a kernel of which nothing is known may have; both set at its end
  End end = End::kNone;

  bool hashed() const { return (event.flags & kHashed) != 0; }
  bool strided() const { return (event.flags & kStrided) != 0; }
  bool is_upload() const { return kind == TransferKind::kUpload; }
  /// Of an upload or download: its device, and its memory on the host.
  std::int16_t device() const { return is_upload() ? event.device : event.source_device; }
  Space host_space() const { return is_upload() ? event.source_space : event.space; }
  std::uint64_t host_ns() const { return duration_ns(event); }
  /// Bytes from first to last at the destination, gaps included.
  std::uint64_t extent() const { return extent_at_address(event); }
  std::uint64_t source_extent() const { return extent_at_source(event); }
  bool same_content(const Transfer& other) const {
    return hashed() && other.hashed() && event.bytes == other.event.bytes &&
           event.hash_lo == other.event.hash_lo && event.hash_hi == other.event.hash_hi;
  }
  bool same_range(const Transfer& other) const {
    return event.address == other.event.address && event.bytes == other.event.bytes &&
           extent() == other.extent();
  }
};

}  // namespace xfer
