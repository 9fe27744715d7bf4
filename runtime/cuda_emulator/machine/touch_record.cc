#include "machine/touch_record.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/touch_marks.h"
#include "machine/machine_memory.h"

namespace xfer::emulator {
namespace {

using kernels::kMarkedWord;
using kernels::Touches;

constexpr std::uint64_t kPage = std::uint64_t{1} << Touches::kPageBits;
constexpr std::uint64_t kMarksOfPage = kPage / kMarkedWord;

std::byte* mapped(std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, bytes, MADV_DONTDUMP);
  return static_cast<std::byte*>(memory);
}

std::atomic<bool> enabled{false};

/// The marks of a range of words.
struct Marks {
  const std::byte* reads;
  const std::byte* writes;
  std::uint64_t words;

  Marks behind(std::uint64_t first) const { return {reads + first, writes + first, words - first}; }
};

constexpr std::uint64_t kLine = 64;

/// Whether all marks of a line are as this one.
bool is_line_of(const std::byte* marks, std::byte mark) {
  using Vector = std::uint64_t __attribute__((vector_size(16)));
  std::uint64_t word = 0;
  std::memset(&word, static_cast<int>(mark), sizeof(word));
  Vector line[kLine / sizeof(Vector)];
  std::memcpy(line, marks, sizeof(line));
  const Vector other =
      ((line[0] ^ word) | (line[1] ^ word)) | ((line[2] ^ word) | (line[3] ^ word));
  return (other[0] | other[1]) == 0;
}

/// How many of the marks are as the first, by both.
std::uint64_t run_length(const Marks& marks) {
  const std::byte read = marks.reads[0];
  const std::byte written = marks.writes[0];
  std::uint64_t length = 0;
  while (length + kLine <= marks.words && is_line_of(marks.reads + length, read) &&
         is_line_of(marks.writes + length, written))
    length += kLine;
  while (length < marks.words && marks.reads[length] == read && marks.writes[length] == written)
    ++length;
  return length;
}

bool is_any(const std::byte* marks, std::uint64_t words) {
  return std::any_of(marks, marks + words, [](std::byte mark) { return mark != std::byte{}; });
}

/// Bytes of the word up to the last that was touched.
unsigned touched_bytes(std::byte mark) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint8_t>(mark)));
}

/// All that there are of one block, as what lies between the first and the last.
void widen_by(TouchedPieces& pieces, std::uintptr_t begin, const Marks& marks) {
  std::uint64_t words = marks.words;
  const auto both = [&](std::uint64_t at) { return marks.reads[at] | marks.writes[at]; };
  while (words != 0 && both(words - 1) == std::byte{}) --words;
  if (words == 0) return;
  pieces.add(begin, begin + (words - 1) * kMarkedWord + touched_bytes(both(words - 1)),
             is_any(marks.reads, words), is_any(marks.writes, words));
}

/// Of a word of which some bytes were touched.
void add_bytes(TouchedPieces& pieces, std::uintptr_t begin, std::byte read, std::byte written) {
  for (unsigned i = 0; i < kMarkedWord; ++i) {
    const bool reads = (read >> static_cast<int>(i) & std::byte{1}) != std::byte{};
    const bool writes = (written >> static_cast<int>(i) & std::byte{1}) != std::byte{};
    if (reads || writes) pieces.add(begin + i, begin + i + 1, reads, writes);
  }
}

/// `begin`: the address of the first word.
void add_pieces(TouchedPieces& pieces, std::uintptr_t begin, const Marks& marks) {
  const auto whole = [](std::byte mark) {
    return mark == std::byte{} || mark == std::byte{kernels::kWholeWord};
  };
  for (std::uint64_t at = 0; at < marks.words;) {
    const Marks left = marks.behind(at);
    const std::uintptr_t address = begin + at * kMarkedWord;
    if (pieces.are_too_many()) return widen_by(pieces, address, left);
    const std::byte read = left.reads[0];
    const std::byte written = left.writes[0];
    if (!whole(read) || !whole(written)) {
      add_bytes(pieces, address, read, written);
      ++at;
      continue;
    }
    const std::uint64_t length = run_length(left);
    if ((read | written) != std::byte{})
      pieces.add(address, address + length * kMarkedWord, read != std::byte{},
                 written != std::byte{});
    at += length;
  }
}

}  // namespace

TouchRecord::~TouchRecord() {
  if (span_ == 0) return;
  for (std::byte* const plane : {touches_.reads, touches_.writes})
    munmap(plane, span_ / kMarkedWord);
  munmap(touches_.pages, span_ / kPage + 1);
}

void TouchRecord::enable(bool on) { enabled.store(on, std::memory_order_relaxed); }

bool TouchRecord::map(std::uint64_t span) {
  touches_.reads = mapped(span / kMarkedWord);
  touches_.writes = mapped(span / kMarkedWord);
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
  tells_gaps_ = true;
  host_.begin(host);
  touches_.context = &host_;
  touches_.mark_host = [](void* marks, std::uintptr_t address, std::uint64_t bytes, bool writes) {
    return static_cast<HostMarks*>(marks)->mark(address, bytes, writes);
  };
  return touches_;
}

void TouchRecord::finish(const DeviceMemory& memory, std::uint32_t correlation,
                         std::span<const std::byte> parameters, bool tells_others) {
  if (std::exchange(all_correlation_, correlation) == correlation)
    keep_last();
  else
    all_touched_.clear();
  touched_.clear();
  was_plain_ = !tells_others;
  collect(memory);
  collect_host();
  is_last_in_all_ = false;
  add_given(memory, parameters);
  const bool may_have_spoken = tells_others && !host_.blocks().empty();
  if (!may_have_spoken && !gave_up_) correlation_ = correlation;
}

// Copied for graphs alone, whose launches have one correlation.
void TouchRecord::keep_last() {
  if (std::exchange(is_last_in_all_, true) || !was_plain_) return;
  all_touched_.insert(all_touched_.end(), touched_.begin(), touched_.end());
}

const std::vector<Touched>* TouchRecord::of_all(std::uint32_t correlation) {
  if (correlation == 0 || correlation != all_correlation_) return nullptr;
  keep_last();
  return &all_touched_;
}

void TouchRecord::tell(std::uint32_t correlation, std::vector<Touched> touched) {
  if (!enabled.load(std::memory_order_relaxed)) return;
  touched_ = std::move(touched);
  is_last_in_all_ = true;
  was_plain_ = true;
  correlation_ = correlation;
}

void TouchRecord::collect_host() {
  for (const auto& [begin, block] : host_.blocks()) {
    TouchedPieces pieces(touched_);
    add_pieces(pieces, begin,
               {block.reads.get(), block.writes.get(), block.bytes / kMarkedWord + 1});
  }
}

void TouchRecord::add_given(const DeviceMemory& memory, std::span<const std::byte> parameters) {
  std::uintptr_t word = 0;
  for (std::size_t at = 0; at + sizeof(word) <= parameters.size(); at += sizeof(word)) {
    std::memcpy(&word, parameters.data() + at, sizeof(word));
    if (memory.device_of(word) >= 0)
      touched_.push_back({word, word, false, false, true, memory.find(word).has_value()});
  }
}

void TouchRecord::collect(const DeviceMemory& memory) {
  std::uint64_t first_page = ~std::uint64_t{0};
  std::uint64_t last_page = 0;
  const auto collect_one = [&](std::uintptr_t begin, std::uintptr_t end) {
    first_page = std::min(first_page, (begin - memory.base()) / kPage);
    last_page = std::max(last_page, (end - memory.base() - 1) / kPage + 1);
    collect_range(memory, begin, end);
  };
  memory.for_each(
      [&](const auto& block) { collect_one(block.address, block.address + block.bytes); });
  const std::size_t in_blocks = touched_.size();
  memory.for_each_gap(collect_one);
  if (!tells_gaps_) touched_.resize(in_blocks);
  for (std::size_t i = in_blocks; i < touched_.size(); ++i) touched_[i].in_block = false;
  clear(first_page, last_page);
}

void TouchRecord::clear(std::uint64_t first_page, std::uint64_t last_page) {
  for (std::uint64_t page = first_page; page < last_page; ++page) {
    void* const next = std::memchr(touches_.pages + page, 1, last_page - page);
    if (next == nullptr) break;
    page = static_cast<std::uint64_t>(static_cast<std::byte*>(next) - touches_.pages);
    touches_.pages[page] = std::byte{};
    std::memset(touches_.reads + page * kMarksOfPage, 0, kMarksOfPage);
    std::memset(touches_.writes + page * kMarksOfPage, 0, kMarksOfPage);
  }
}

void TouchRecord::collect_range(const DeviceMemory& memory, std::uintptr_t first,
                                std::uintptr_t last) {
  const std::uint64_t begin = first - memory.base();
  const std::uint64_t end = last - memory.base();
  TouchedPieces pieces(touched_);
  for (std::uint64_t page = begin / kPage; page * kPage < end; ++page) {
    const void* const next = std::memchr(touches_.pages + page, 1, (end - 1) / kPage + 1 - page);
    if (next == nullptr) break;
    page = static_cast<std::uint64_t>(static_cast<const std::byte*>(next) - touches_.pages);
    // A block begins where a word does; its last word is its own.
    const std::uint64_t word =
        std::max((begin + kMarkedWord - 1) / kMarkedWord, page * kMarksOfPage);
    const std::uint64_t stop =
        std::min((end + kMarkedWord - 1) / kMarkedWord, (page + 1) * kMarksOfPage);
    add_pieces(pieces, memory.base() + word * kMarkedWord,
               {touches_.reads + word, touches_.writes + word, stop - word});
  }
}

}  // namespace xfer::emulator
