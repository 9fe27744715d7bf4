// The checks behind cuda::set_stream_checks: which stream wrote a block last, which ones have read
// it since, and whether another one has waited for that.
//
// Each stream has a clock: for every stream, how many of its accesses come before what the stream
// will run next (vector clocks; C. Fidge, 1988, F. Mattern, 1989). An access ticks its stream's own
// entry, an event carries a copy, a wait takes the maxima. The host has one clock for all its
// threads, so that a wait of one thread counts for the others too.
//
// Not seen: what is done by pointers that were given out.
// Cost: off, one load for each access; on, a lock and the clocks' comparison.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "tensorlib/call_site.h"
#include "tensorlib/cuda_stream.h"

namespace tensorlib {

struct TensorImpl;
struct Storage;

namespace stream_order {

using Clock = std::vector<uint64_t>;

extern std::atomic<bool> checked;
inline bool is_checked() { return checked.load(std::memory_order_relaxed); }

// From now on; what was written before counts as waited for.
void start();

// A read or write of a block, in the stream with this number.
struct Access {
  size_t stream;
  uint64_t time;
  const char* operation;
  CallSite site;
};

// Of a block: the last write, and the last read since then of each stream.
struct Accesses {
  std::optional<Access> write;
  std::vector<Access> reads;
};

// The operation that this thread is in: errors and writes name it.
void note_call(const char* operation, CallSite site);

// This thread's operation reads (writes) the tensor's block in the current stream of its device, or
// on the host. Throws StreamError.
void note_read(const TensorImpl& tensor);
void note_write(const TensorImpl& tensor);
// A copy that the host does not wait for writes (reads) host memory.
void note_copy_to_host(Storage& host, Device from);
void note_copy_from_host(Storage& host, Device to);

// `later` runs behind all that is in `earlier`.
void note_order(const cuda::CUDAStream& earlier, const cuda::CUDAStream& later);
// The same by way of an event.
Clock clock_of(const cuda::CUDAStream& stream);
void note_wait(const cuda::CUDAStream& stream, const Clock& event);
// The host waited for an event, for a stream, for a whole device.
void note_host_wait(const Clock& event);
void note_host_wait(const cuda::CUDAStream& stream);
void note_host_wait(Device device);

// 0 for a device's default stream, then as they are first named.
size_t number_on_device(const cuda::CUDAStream& stream);

}  // namespace stream_order

}  // namespace tensorlib
