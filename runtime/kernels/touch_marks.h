#pragma once
// The marks of what kernels touch: a byte for each word of device memory, whose bits are the word's
// four bytes. Whole words are marked without a look at what was there, so that several threads of
// the host may do so at once; single bytes by an atomic operation.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xfer::kernels {

constexpr std::uint64_t kMarkedWord = 4;  ///< bytes that a mark stands for
constexpr std::uint8_t kWholeWord = 0xF;

/// Marks words as a whole. Of the sizes that code reads and writes at once, without a call.
inline void mark_words(std::byte* marks, std::uint64_t words) {
  switch (words) {
    case 1: std::memset(marks, kWholeWord, 1); break;
    case 2: std::memset(marks, kWholeWord, 2); break;
    case 4: std::memset(marks, kWholeWord, 4); break;
    case 32: std::memset(marks, kWholeWord, 32); break;
    case 64: std::memset(marks, kWholeWord, 64); break;
    default: std::memset(marks, kWholeWord, words); break;
  }
}

/// Marks bytes [first, last) of a word.
inline void mark_part(std::byte* mark, unsigned first, unsigned last) {
  const auto bits = static_cast<std::uint8_t>((1U << last) - (1U << first));
  const std::atomic_ref<std::uint8_t> all(*reinterpret_cast<std::uint8_t*>(mark));
  if ((all.load(std::memory_order_relaxed) & bits) != bits)
    all.fetch_or(bits, std::memory_order_relaxed);
}

/// `offset`: of the first byte, from the beginning of device memory, which is that of a word.
inline void mark_bytes(std::byte* marks, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes;
  std::uint64_t word = offset / kMarkedWord;
  const auto first = static_cast<unsigned>(offset % kMarkedWord);
  const auto rest = static_cast<unsigned>(end % kMarkedWord);
  const std::uint64_t last = end / kMarkedWord;
  if (first != 0) {
    const bool ends_here = word == last;
    mark_part(marks + word, first, ends_here ? rest : unsigned{kMarkedWord});
    if (ends_here) return;
    ++word;
  }
  if (word != last) mark_words(marks + word, last - word);
  if (rest != 0) mark_part(marks + last, 0, rest);
}

}  // namespace xfer::kernels
