#pragma once
// The loops over a buffer's content, compiled once for every x86-64 processor and once with AVX2.
// Only content_hash*.cc include this: everything here has internal linkage, so that no function
// compiled with AVX2 is ever taken for the other kind.

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "xfer/content_hash.h"

namespace xfer::content_pass {

/// One processor's versions.
struct Passes {
  ContentHash (*hash)(const void* data, std::size_t bytes) noexcept;
  bool (*search)(const void* data, std::size_t bytes, WordRange range) noexcept;
  SearchedContent (*hash_and_search)(const void* data, std::size_t bytes, WordRange range) noexcept;
};

extern const Passes kAvx2;

namespace {

[[maybe_unused]] ContentHash as_hash(const XXH128_hash_t& hash) {
  return {hash.low64, hash.high64};
}

ContentHash hash(const void* data, std::size_t bytes) noexcept {
  return as_hash(XXH3_128bits(data, bytes));
}

bool search(const void* data, std::size_t bytes, WordRange range) noexcept {
  const auto* at = static_cast<const unsigned char*>(data);
  const unsigned char* const end = at + bytes / 8 * 8;
  // Hardly a word lies in the range: a line is looked at with one branch.
#ifdef __AVX2__
  typedef long long Words __attribute__((vector_size(32)));
  constexpr long long kSignBit = -0x7fffffffffffffffLL - 1;
  const Words lowest = Words{} + static_cast<long long>(range.lowest);
  const Words span = (Words{} + static_cast<long long>(range.span)) ^ kSignBit;
  Words found{};
  for (; end - at >= 128; at += 128) {
    Words words[4];
    memcpy(words, at, sizeof(words));
    // There is no unsigned comparison of 8-byte words: both sides have their sign bits flipped.
    for (const Words& word : words) found |= ((word - lowest) ^ kSignBit) < span;
  }
  if ((found[0] | found[1] | found[2] | found[3]) != 0) return true;
#endif
  bool any = false;
  for (; end - at >= 64; at += 64) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t word = 0;
      memcpy(&word, at + 8 * i, 8);
      any |= word - range.lowest < range.span;
    }
    if (any) return true;
  }
  for (; at < end; at += 8) {
    std::uint64_t word = 0;
    memcpy(&word, at, 8);
    any |= word - range.lowest < range.span;
  }
  return any;
}

SearchedContent hash_and_search(const void* data, std::size_t bytes, WordRange range) noexcept {
  // As much as stays in the nearest cache between the two, and a multiple of what XXH3 takes at
  // once.
  constexpr std::size_t kStep = 1024;
  SearchedContent content;
  if (bytes <= kStep) {
    content.hash = hash(data, bytes);
    content.holds_word = search(data, bytes, range);
    return content;
  }
  const auto* at = static_cast<const unsigned char*>(data);
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_128bits_reset(&state);
  for (std::size_t done = 0; done < bytes; done += kStep) {
    const std::size_t step = bytes - done < kStep ? bytes - done : kStep;
    content.holds_word = content.holds_word || search(at + done, step, range);
    XXH3_128bits_update(&state, at + done, step);
  }
  content.hash = as_hash(XXH3_128bits_digest(&state));
  return content;
}

}  // namespace
}  // namespace xfer::content_pass
