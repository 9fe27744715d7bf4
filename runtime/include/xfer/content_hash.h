#pragma once
// Content of a buffer as 128 bits (XXH3): equal hashes are taken for equal bytes. Not
// cryptographic; two different buffers of one run collide with a probability below 2^-80 for any
// realistic number of copies. Reads the buffer once, some 10 GB/s and more on one core (AVX2 where
// the processor has it). Thread-safe, allocates nothing.

#include <cstddef>
#include <cstdint>

namespace xfer {

struct ContentHash {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;

  friend bool operator==(const ContentHash&, const ContentHash&) = default;
};

ContentHash content_hash(const void* data, std::size_t bytes) noexcept;

/// Of some 2 KiB from all over the buffer, and its size: where two differ, so do the buffers.
std::uint64_t content_sample(const void* data, std::size_t bytes) noexcept;

/// The payload of a pitched copy: slices of `rows` rows of `row_bytes`, each `pitch` bytes after
/// the last, each slice `slice_pitch` bytes.
struct PitchedContent {
  std::size_t row_bytes;
  std::size_t rows;
  std::size_t pitch;
  std::size_t slices = 1;
  std::size_t slice_pitch = 0;
};
/// Equals content_hash of the rows put together.
ContentHash content_hash_rows(const void* data, const PitchedContent& content) noexcept;

/// The words w with w - lowest < span.
struct WordRange {
  std::uint64_t lowest = 0;
  std::uint64_t span = 0;
};

/// Whether any of the 8-byte words that the data consists of lies in the range. A rest of less than
/// 8 bytes is not looked at.
bool holds_word(const void* data, std::size_t bytes, WordRange range) noexcept;

struct SearchedContent {
  ContentHash hash;
  bool holds_word = false;
};

/// content_hash and holds_word in one pass over memory.
SearchedContent content_hash_and_search(const void* data, std::size_t bytes,
                                        WordRange range) noexcept;

}  // namespace xfer
