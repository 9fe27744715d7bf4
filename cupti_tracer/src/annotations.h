#pragma once
// The functions behind xfer/annotate.h's listener table. Thread-safe; nothing happens when nothing
// is traced.

#include <cstddef>

namespace xfer::tracer {

void scope_begin(const char* name);
void scope_end();
void allocated(const void* pointer, std::size_t bytes, int device);
void released(const void* pointer);

}  // namespace xfer::tracer
