#pragma once
// The kind of a CUDA or HIP call by its name, as profilers write it: "cudaMemcpyAsync",
// "cuStreamSynchronize", "hipFree", with or without a suffix "_v3020" or "_ptsz".

#include <cstdint>
#include <string_view>

namespace xfer::foreign {

enum class CallKind : std::uint8_t {
  kOther,
  kAlloc,       ///< of device or managed memory, outside of stream order
  kFree,        ///< the same
  kAllocAsync,  ///< in stream order
  kAllocPinned,
  kFreePinned,
  kCopy,  ///< returns when the host may use the data
  kCopyAsync,
  kSyncStream,
  kSyncDevice,
  kSyncEvent,
  kQuery,  ///< asks how far the device is, and does not wait
  kEventRecord,
  kStreamWait,
};

CallKind kind_of_call(std::string_view name);

}  // namespace xfer::foreign
