// Stands in front of the C library's free and posix_memalign, where the library is preloaded: with
// the memory a result may go that was never read, and what is to be watched wants pages of its own.

#include <cerrno>
#include <utility>

#include "next_function.h"
#include "own_pages.h"
#include "tracer.h"
#include "unread_downloads.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

constinit xfer::tracer::NextFunction<void(void*)> g_free("free");
constinit xfer::tracer::NextFunction<int(void**, std::size_t, std::size_t)> g_aligned(
    "posix_memalign");

// The C library's. dlsym, which finds it, frees its last error's text: that text is lost then, and
// nothing else ever.
auto find_next() noexcept {
  if (const auto known = g_free.found(); known != nullptr) return known;
  [[gnu::tls_model("initial-exec")]] static constinit thread_local bool finding = false;
  if (std::exchange(finding, true)) return static_cast<void (*)(void*)>(nullptr);
  void (*const next)(void*) = g_free.get();
  finding = false;
  return next;
}

// So that none that is called from a signal handler need look for it.
__attribute__((constructor)) void find_free() {
  find_next();
  g_aligned.get();
  xfer::tracer::give_own_pages();
}

}  // namespace

extern "C" {

XFER_EXPORT int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  xfer::tracer::widen(alignment, bytes);
  const auto next = g_aligned.get();
  return next != nullptr ? next(memory, alignment, bytes) : ENOMEM;
}

XFER_EXPORT void free(void* memory) noexcept {
  // Memory that the tracer itself frees meanwhile may lie where the program had a result once.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local bool telling = false;
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  if (xfer::tracer::UnreadDownloads::may_begin_at(address) && !std::exchange(telling, true)) {
    const int saved = errno;
    if (xfer::tracer::Tracer* const tracer = xfer::tracer::Tracer::current())
      tracer->host_memory_freed(address);
    errno = saved;
    telling = false;
  }
  if (const auto next = find_next(); next != nullptr) next(memory);
}
}
