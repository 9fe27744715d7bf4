#include "xfer/stack.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>

namespace xfer {
namespace {

using UnwindBacktrace = int (*)(void**, int);

constexpr UnwindBacktrace kNotLookedFor = nullptr;

int no_libunwind(void**, int) { return -1; }

// libunwind's unw_backtrace caches how to step over each address; it is used where the system has
// it. RTLD_LOCAL keeps its exception-handling symbols away from the program. Not beside
// ThreadSanitizer: the cache of a thread that ends is freed under a lock, which that tool no longer
// bears then.
UnwindBacktrace find_libunwind() noexcept {
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return no_libunwind;
  void* library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
  void* symbol = library != nullptr ? dlsym(library, "unw_backtrace") : nullptr;
  return symbol != nullptr ? reinterpret_cast<UnwindBacktrace>(symbol) : no_libunwind;
}

std::atomic<UnwindBacktrace> libunwind{kNotLookedFor};

struct Walk {
  std::uintptr_t* frames;
  std::size_t count;
  std::size_t capacity;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0 || walk->count == walk->capacity) return _URC_END_OF_STACK;
  walk->frames[walk->count++] = pc;
  return _URC_NO_REASON;
}

struct FindModule {
  std::uintptr_t address;
  std::uintptr_t begin;
  std::uintptr_t end;
};

int visit_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto* find = static_cast<FindModule*>(argument);
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uintptr_t start = info->dlpi_addr + header.p_vaddr;
    begin = std::min(begin, start);
    end = std::max(end, start + header.p_memsz);
  }
  if (find->address < begin || find->address >= end) return 0;
  find->begin = begin;
  find->end = end;
  return 1;
}

}  // namespace

bool FrameFilter::add_module_of(const void* address) noexcept {
  if (count_ == ranges_.size()) return false;
  FindModule find{reinterpret_cast<std::uintptr_t>(address), 0, 0};
  if (dl_iterate_phdr(visit_module, &find) == 0) return false;
  ranges_[count_++] = {find.begin, find.end};
  return true;
}

bool FrameFilter::skips(std::uintptr_t pc) const noexcept {
  for (std::size_t i = 0; i < count_; ++i)
    if (pc >= ranges_[i].begin && pc < ranges_[i].end) return true;
  return false;
}

void prepare_stack_capture() noexcept {
  if (libunwind.load(std::memory_order_relaxed) == kNotLookedFor)
    libunwind.store(find_libunwind(), std::memory_order_relaxed);
  std::array<std::uintptr_t, 4> frames;
  capture_stack(frames);
}

std::size_t capture_stack(std::span<std::uintptr_t> out, const FrameFilter& filter) noexcept {
  constexpr std::size_t kInnerFrames = 24;  // what the filter may drop
  std::array<std::uintptr_t, kMaxStackDepth + kInnerFrames> frames;
  const std::size_t wanted = std::min(out.size() + kInnerFrames, frames.size());
  const UnwindBacktrace fast = libunwind.load(std::memory_order_relaxed);
  int found = -1;
  if (fast != kNotLookedFor)
    found = fast(reinterpret_cast<void**>(frames.data()), static_cast<int>(wanted));
  std::size_t count = 0;
  if (found > 0) {
    count = static_cast<std::size_t>(found);
  } else {
    Walk walk{frames.data(), 0, wanted};
    _Unwind_Backtrace(visit_frame, &walk);
    count = walk.count;
  }
  std::size_t first = std::min<std::size_t>(count, 1);  // this function
  while (first < count && filter.skips(frames[first])) ++first;
  const std::size_t kept = std::min(count - first, out.size());
  std::copy_n(frames.begin() + static_cast<std::ptrdiff_t>(first), kept, out.begin());
  return kept;
}

}  // namespace xfer
