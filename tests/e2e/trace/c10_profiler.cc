// Stands for libc10.so: the function of its profiler, which an allocator like PyTorch's calls.

#include "c10_profiler.h"

namespace c10 {

namespace {
Reported g_reported;
}

void reportMemoryUsageToProfiler(void*, long bytes, unsigned long allocated, unsigned long reserved,
                                 Device device) {
  if (device.type != 1 || device.index != 0 || allocated > reserved) return;
  ++(bytes > 0 ? g_reported.given : g_reported.taken_back);
}

Reported reported() { return g_reported; }

}  // namespace c10
