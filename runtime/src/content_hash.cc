#include "content_pass.h"

namespace xfer {
namespace {

using content_pass::Passes;

const Passes& passes() noexcept {
  static constexpr Passes kPlain = {content_pass::hash, content_pass::search,
                                    content_pass::hash_and_search};
#ifdef XFER_HAVE_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return content_pass::kAvx2;
#endif
  return kPlain;
}

}  // namespace

ContentHash content_hash(const void* data, std::size_t bytes) noexcept {
  return passes().hash(data, bytes);
}

bool holds_word(const void* data, std::size_t bytes, WordRange range) noexcept {
  return passes().search(data, bytes, range);
}

SearchedContent content_hash_and_search(const void* data, std::size_t bytes,
                                        WordRange range) noexcept {
  return passes().hash_and_search(data, bytes, range);
}

std::uint64_t content_sample(const void* data, std::size_t bytes) noexcept {
  constexpr std::size_t kPiece = 64;
  constexpr std::size_t kPieces = 32;
  if (bytes <= kPiece * kPieces) return XXH3_64bits_withSeed(data, bytes, bytes);
  char pieces[kPieces][kPiece];
  for (std::size_t i = 0; i < kPieces; ++i) {
    // The first piece begins the buffer, the last ends it.
    const std::size_t at = (bytes - kPiece) / (kPieces - 1) * i;
    memcpy(pieces[i], static_cast<const char*>(data) + (i + 1 < kPieces ? at : bytes - kPiece),
           kPiece);
  }
  return XXH3_64bits_withSeed(pieces, sizeof(pieces), bytes);
}

ContentHash content_hash_rows(const void* data, const PitchedContent& content) noexcept {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_128bits_reset(&state);
  for (std::size_t slice = 0; slice < content.slices; ++slice)
    for (std::size_t row = 0; row < content.rows; ++row)
      XXH3_128bits_update(
          &state,
          static_cast<const char*>(data) + slice * content.slice_pitch + row * content.pitch,
          content.row_bytes);
  return content_pass::as_hash(XXH3_128bits_digest(&state));
}

}  // namespace xfer
