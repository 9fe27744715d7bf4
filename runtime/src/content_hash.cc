#include "xfer/content_hash.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace xfer {

ContentHash content_hash(const void* data, std::size_t bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(data, bytes);
  return {hash.low64, hash.high64};
}

ContentHash content_hash_rows(const void* data, std::size_t row_bytes, std::size_t rows,
                              std::size_t pitch) noexcept {
  if (row_bytes == pitch || rows == 1) return content_hash(data, row_bytes * rows);
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_128bits_reset(&state);
  for (std::size_t row = 0; row < rows; ++row)
    XXH3_128bits_update(&state, static_cast<const char*>(data) + row * pitch, row_bytes);
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.low64, hash.high64};
}

}  // namespace xfer
