#pragma once
// The functions behind xfer/annotate.h's listener table. Thread-safe; nothing happens when nothing
// is traced.

#include <cstddef>
#include <cstdint>

#include "xfer/annotate.h"

namespace xfer::tracer {

struct ThreadState;

void scope_begin(const char* name);
void scope_end();
/// The thread ends.
void end_scopes(ThreadState& thread) noexcept;
void name(const void* pointer, std::size_t bytes, const char* name);
void allocated(const void* pointer, std::size_t bytes, int device);
void released(const void* pointer);
/// The same, of the many that an allocator gives: without the call stack, which would cost more
/// than the allocation.
void block_allocated(const void* pointer, std::size_t bytes, int device);
void block_released(const void* pointer);
void implicit_copies(int begin);
int read_counters(xfer_counters* counters);
long examine(const char* about, std::uint64_t since_ns, xfer_take_text take, void* to);

}  // namespace xfer::tracer
