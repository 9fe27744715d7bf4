#include "machine/pinned_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "machine/page.h"
#include "machine/twin_mapping.h"

namespace xfer::emulator {
namespace {

constexpr std::uint64_t kSpan = std::uint64_t{1} << 36;  // address space, not memory
// Of an entry of /proc/PID/pagemap: the page is there, or is being moved.
constexpr std::uint64_t kInPageTable = std::uint64_t{3} << 62;

// The kernel takes no page of it out of a page table to make room: it would look untouched then.
bool stays(void* memory, std::size_t bytes) {
  struct sysinfo system{};
  return mlock2(memory, bytes, MLOCK_ONFAULT) == 0 ||
         (sysinfo(&system) == 0 && system.totalswap == 0);
}

}  // namespace

PinnedMemory::~PinnedMemory() {
  if (span_ != 0) munmap(reinterpret_cast<void*>(base_), 2 * span_);
  if (page_table_ >= 0) close(page_table_);
}

bool PinnedMemory::map() {
  if (tried_) return span_ != 0;
  tried_ = true;
  void* const both =
      mmap(nullptr, 2 * kSpan, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (both == MAP_FAILED) return false;
  const auto base = reinterpret_cast<std::uintptr_t>(both);
  if (map_twice(base, base + kSpan, kSpan) != nullptr) {
    munmap(both, 2 * kSpan);
    return false;
  }
  if (stays(reinterpret_cast<void*>(base + kSpan), kSpan))
    page_table_ = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  base_ = base;
  span_ = kSpan;
  ranges_.emplace(kSpan);
  return true;
}

void* PinnedMemory::allocate(std::size_t bytes) {
  if (bytes > kSpan || !map()) return nullptr;
  const auto offset = ranges_->allocate(whole_pages(bytes));
  return offset ? reinterpret_cast<void*>(base_ + *offset) : nullptr;
}

bool PinnedMemory::release(void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (!holds(value)) return false;
  const auto range = ranges_->release(value - base_);
  if (!range) return false;
  drop_pages(base_ + range->offset, range->bytes);  // the other view is locked
  return true;
}

void PinnedMemory::clear_touches(std::uintptr_t address, std::size_t bytes) {
  if (!holds(address)) return;
  const std::uintptr_t begin = address / page_bytes() * page_bytes();
  // Of a shared mapping this drops the page table's entries and no data.
  madvise(reinterpret_cast<void*>(begin), whole_pages(address + bytes - begin), MADV_DONTNEED);
}

bool PinnedMemory::touched(std::uintptr_t address, std::size_t bytes) const {
  if (!holds(address) || page_table_ < 0 || shared_) return true;
  std::uint64_t page = address / page_bytes();
  const std::uint64_t end = (address + bytes + page_bytes() - 1) / page_bytes();
  std::array<std::uint64_t, 512> entries;
  while (page < end) {
    const std::size_t count = std::min<std::uint64_t>(entries.size(), end - page);
    const auto wanted = static_cast<ssize_t>(count * sizeof(entries[0]));
    if (pread(page_table_, entries.data(), static_cast<std::size_t>(wanted),
              static_cast<off_t>(page * sizeof(entries[0]))) != wanted)
      return true;
    if (std::any_of(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count),
                    [](std::uint64_t entry) { return (entry & kInPageTable) != 0; }))
      return true;
    page += count;
  }
  return false;
}

}  // namespace xfer::emulator
