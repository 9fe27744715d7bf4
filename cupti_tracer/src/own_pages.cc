#include "own_pages.h"

#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "page.h"

namespace xfer::tracer {
namespace {

constexpr std::size_t kLeastBytes = 4096;  // of a buffer with pages of its own

std::atomic<bool> widens{false};

}  // namespace

void give_own_pages() {
#if defined(__GLIBC__)
  constexpr int kMostBuffers = 4096;  // of the 65,530 mappings that a process may have
  if (std::getenv("XFERCHECK_EMULATE") == nullptr || std::getenv("GLIBC_TUNABLES") != nullptr ||
      dlsym(RTLD_DEFAULT, "__asan_init") != nullptr)  // which wants to know where a buffer ends
    return;
  widens.store(true, std::memory_order_relaxed);
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr) return;
  mallopt(M_MMAP_MAX, kMostBuffers);
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLeastBytes));
  // Buffers come from the end of the heap, where there is room.
  mallopt(M_TOP_PAD, 0);
  malloc_trim(0);
#endif
}

void widen(std::size_t& alignment, std::size_t& bytes) {
  if (bytes < kLeastBytes || !widens.load(std::memory_order_relaxed)) return;
  const std::size_t page = page_bytes();
  if (bytes > SIZE_MAX - page) return;
  alignment = std::max(alignment, page);
  bytes = (bytes + page - 1) & ~(page - 1);
}

}  // namespace xfer::tracer
