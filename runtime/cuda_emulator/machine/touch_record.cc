#include "machine/touch_record.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "machine/machine_memory.h"

namespace xfer::emulator {
namespace {

using kernels::Touches;

constexpr std::uint64_t kPage = std::uint64_t{1} << Touches::kPageBits;

std::byte* mapped(std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, bytes, MADV_DONTDUMP);
  return static_cast<std::byte*>(memory);
}

std::atomic<bool> enabled{false};

/// The pieces of one block, in the order of their addresses.
class Pieces {
 public:
  explicit Pieces(std::vector<Touched>& all) : all_(all), first_(all.size()) {}

  void add(std::uintptr_t begin, std::uintptr_t end, bool reads, bool writes) {
    if (all_.size() > first_) {
      Touched& last = all_.back();
      if (!last.every_byte) return widen(last, end, reads, writes);
      if (last.end == begin && last.reads == reads && last.writes == writes) {
        last.end = end;
        return;
      }
      if (all_.size() - first_ == kMost) {
        Touched& whole = all_[first_];
        for (std::size_t i = first_ + 1; i < all_.size(); ++i)
          widen(whole, all_[i].end, all_[i].reads, all_[i].writes);
        all_.resize(first_ + 1);
        return widen(all_[first_], end, reads, writes);
      }
    }
    all_.push_back({begin, end, reads, writes, true});
  }

 private:
  static constexpr std::size_t kMost = 64;

  static void widen(Touched& range, std::uintptr_t end, bool reads, bool writes) {
    range.end = end;
    range.reads |= reads;
    range.writes |= writes;
    range.every_byte = false;
  }

  std::vector<Touched>& all_;
  const std::size_t first_;
};

/// How many of the bytes are as the first.
std::uint64_t run_length(const std::byte* marks, std::uint64_t bytes) {
  std::uint64_t length = 1;
  std::uint64_t first = 0;
  std::memset(&first, static_cast<int>(marks[0]), sizeof(first));
  for (std::uint64_t word = 0; length + sizeof(word) <= bytes; length += sizeof(word)) {
    std::memcpy(&word, marks + length, sizeof(word));
    if (word != first) break;
  }
  while (length < bytes && marks[length] == marks[0]) ++length;
  return length;
}

}  // namespace

TouchRecord::~TouchRecord() {
  if (span_ == 0) return;
  for (std::byte* const plane : {touches_.reads, touches_.writes}) munmap(plane, span_);
  munmap(touches_.pages, span_ / kPage + 1);
}

void TouchRecord::enable(bool on) { enabled.store(on, std::memory_order_relaxed); }

bool TouchRecord::map(std::uint64_t span) {
  touches_.reads = mapped(span);
  touches_.writes = mapped(span);
  touches_.pages = mapped(span / kPage + 1);
  if (touches_.reads == nullptr || touches_.writes == nullptr || touches_.pages == nullptr)
    return false;
  span_ = span;
  return true;
}

bool TouchRecord::wanted(const DeviceMemory& memory) {
  constexpr std::uint64_t kShare = 8;
  if (gave_up_ || !enabled.load(std::memory_order_relaxed)) return false;
  if (most_bytes_ == 0) most_bytes_ = memory_of_machine() / kShare;
  gave_up_ = span_ == 0 && !map(memory.span());
  return !gave_up_ && memory.bytes_used() <= most_bytes_;
}

kernels::Touches& TouchRecord::begin(const HostMemory& host) {
  correlation_ = 0;
  touches_.host = false;
  touches_.context = &host;
  touches_.is_host = [](const void* context, std::uintptr_t address) {
    return static_cast<const HostMemory*>(context)->find(address).has_value();
  };
  return touches_;
}

void TouchRecord::finish(const DeviceMemory& memory, std::uint32_t correlation,
                         std::span<const std::byte> parameters) {
  touched_.clear();
  collect(memory);
  add_given(memory, parameters);
  if (!touches_.host && !gave_up_) correlation_ = correlation;
}

void TouchRecord::add_given(const DeviceMemory& memory, std::span<const std::byte> parameters) {
  std::uintptr_t word = 0;
  for (std::size_t at = 0; at + sizeof(word) <= parameters.size(); at += sizeof(word)) {
    std::memcpy(&word, parameters.data() + at, sizeof(word));
    if (memory.find(word)) touched_.push_back({word, word, false, false, true});
  }
}

void TouchRecord::collect(const DeviceMemory& memory) {
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  memory.for_each([&](const DeviceMemory::Block& block) {
    const std::uint64_t begin = block.address - memory.base();
    const std::uint64_t end = begin + block.bytes;
    first = std::min(first, begin / kPage);
    last = std::max(last, (end - 1) / kPage + 1);
    Pieces pieces(touched_);
    for (std::uint64_t page = begin / kPage; page * kPage < end; ++page) {
      const void* const next = std::memchr(touches_.pages + page, 1, (end - 1) / kPage + 1 - page);
      if (next == nullptr) break;
      page = static_cast<std::uint64_t>(static_cast<const std::byte*>(next) - touches_.pages);
      std::uint64_t at = std::max(begin, page * kPage);
      const std::uint64_t stop = std::min(end, (page + 1) * kPage);
      while (at < stop) {
        const std::uint64_t length = std::min(run_length(touches_.reads + at, stop - at),
                                              run_length(touches_.writes + at, stop - at));
        const bool reads = touches_.reads[at] != std::byte{};
        const bool writes = touches_.writes[at] != std::byte{};
        if (reads || writes)
          pieces.add(memory.base() + at, memory.base() + at + length, reads, writes);
        at += length;
      }
    }
  });
  // What lies between the blocks, too: memory that the kernel freed, or that was never any.
  for (std::uint64_t page = first; page < last; ++page) {
    void* const next = std::memchr(touches_.pages + page, 1, last - page);
    if (next == nullptr) break;
    page = static_cast<std::uint64_t>(static_cast<std::byte*>(next) - touches_.pages);
    touches_.pages[page] = std::byte{};
    std::memset(touches_.reads + page * kPage, 0, kPage);
    std::memset(touches_.writes + page * kPage, 0, kPage);
  }
}

}  // namespace xfer::emulator
