#pragma once
// One CUDA API call, decoded from CUPTI's callback parameters: what it does, to which addresses, on
// which stream. Runtime and driver calls come out alike. Pointers in here are those of the call and
// live as long as its callback.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "xfer/event.h"

namespace xfer::tracer {

/// The default stream of a thread, as events name it.
inline constexpr std::uint64_t kThreadStream = 2;

enum class Op : std::uint8_t {
  kNone,
  kAlloc,           ///< `out`, `bytes`, `space`
  kRegister,        ///< host memory at `address` becomes pinned
  kFree,            ///< `address`
  kCopy,            ///< `transfer`, then `more`
  kSet,             ///< `transfer.destination`
  kLaunch,          ///< `launch`
  kGraphLaunch,     ///< `graph`
  kGraphMade,       ///< `out`, of `from`
  kGraphUpdated,    ///< `graph` becomes what `from` is
  kGraphNodeSet,    ///< `node` of `graph`: `node_kind`, with `transfer` or `launch`
  kGraphNodeOnOff,  ///< `node` of `graph`: `enabled`
  kGraphGone,       ///< `graph`
  kSync,            ///< `scope`, `stream` or `event`
  kQuery,           ///< as kSync, without waiting: counts when it succeeds
  kStreamCreate,    ///< `out`
  kStreamDestroy,
  kEventRecord,
  kStreamWait,
  kSharedEvent,  ///< other processes may wait for an event of this one, or this one for theirs
  kCaptureBegin,
  kCaptureEnd,
  kDeviceReset,
  kOpaqueAccess,  ///< a texture or surface was made: kernels may reach memory without a pointer
  kExport,        ///< another process or API may change the memory at `address` from now on
  kHostFunction,  ///< host code will run in stream order
  kPeerAccess,    ///< `peer`: kernels on the current device may reach its memory from now on
  kUnmodelled,    ///< moves data in a way that is not modelled
};

/// The effect of a graph's node.
enum class NodeKind : std::uint8_t {
  kCopy,
  kFill,
  kKernel,
  kOwnMemory,  ///< makes memory that is the graph's
  kTells,      ///< may tell the host how far the graph has come: host functions, events
  kUnknown,    ///< may touch any memory
};

/// The place of a copy's side as the call names it. The memory map knows better where it knows.
enum class Side : std::uint8_t { kUnknown, kHost, kDevice };

inline constexpr std::int16_t kCurrentDevice = -2;

struct CopySide {
  std::uint64_t address = 0;
  std::uint64_t pitch = 0;               ///< bytes from row to row
  std::uint64_t slice_pitch = 0;         ///< bytes from slice to slice
  std::int16_t device = kCurrentDevice;  ///< a peer copy names it
  Side side = Side::kUnknown;
  bool array = false;   ///< a CUDA array: the address is a handle
  bool symbol = false;  ///< a __device__ variable: the address is its host shadow plus an offset
};

struct CopyCall {
  CopySide destination;
  CopySide source;
  std::uint64_t width = 0;  ///< bytes of a row
  std::uint64_t rows = 1;
  std::uint64_t slices = 1;
  bool in_elements = false;   ///< `width` counts elements of the array that is one of the sides
  bool takes_source = false;  ///< which is the program's again when the call returns

  std::uint64_t bytes() const { return width * rows * slices; }
  bool strided() const;
  /// Bytes from the first to the last that a side touches.
  std::uint64_t extent(const CopySide& side) const;
  /// Bytes from row to row, and from slice to slice; 0: there is one. Slices without a gap between
  /// them are one, and of slices that are a row each, these are the rows.
  struct Steps {
    std::uint64_t pitch;
    std::uint64_t slice_pitch;
  };
  Steps steps(const CopySide& side) const;
  /// Puts the side's bytes into the event, at its address.
  void put_side(const CopySide& side, Event* event) const;
};

struct LaunchCall {
  enum class Handle : std::uint8_t { kHostFunction, kKernel, kFunction };
  Handle handle = Handle::kHostFunction;
  const void* function = nullptr;
  void* const* arguments = nullptr;  ///< null: packed or none
  bool is_packed = false;            ///< known of graphs' nodes only
};

struct ApiCall {
  Op op = Op::kNone;
  bool async = false;
  bool thread_stream = false;  ///< its default stream is the thread's own
  bool nonblocking = false;    ///< a stream that does not wait for the default stream
  bool uncached = false;       ///< write-combined memory: reading it is very slow
  SyncScope scope = SyncScope::kNone;
  Space space = Space::kUnknown;
  std::uint64_t stream = 0;
  std::uint64_t event = 0;
  std::uint64_t graph = 0;  ///< that can be launched; 0: what is launched is not known
  std::uint64_t from = 0;   ///< a graph as the program builds it
  std::uint64_t node = 0;
  NodeKind node_kind = NodeKind::kUnknown;
  bool enabled = true;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int16_t peer = -1;     ///< -1: any
  std::uint64_t rows = 1;     ///< a pitched allocation: bytes = *pitch_out x rows
  const void* out = nullptr;  ///< where the call stores the pointer or handle it makes
  const std::size_t* pitch_out = nullptr;
  CopyCall transfer;
  std::vector<CopyCall> more;  ///< the rest of a batch
  LaunchCall launch;

  /// At the call's exit: the pointer or handle that it made (0 when there is none).
  std::uint64_t made() const;
  /// At the call's exit: the bytes that it allocated.
  std::uint64_t allocated() const { return pitch_out != nullptr ? *pitch_out * rows : bytes; }
};

}  // namespace xfer::tracer
