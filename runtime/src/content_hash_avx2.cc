// Compiled with AVX2; called only where the processor has it.

#include <immintrin.h>

#include "content_pass.h"

namespace xfer::content_pass {
namespace {

/// GCC 12 leaves the registers' upper halves in use behind functions of its own making, and on
/// Intel's processors all of the program's SSE code is slow from then on: by 20 times was seen.
class UpperHalves {
 public:
  UpperHalves() = default;
  ~UpperHalves() { _mm256_zeroupper(); }
  UpperHalves(const UpperHalves&) = delete;
  UpperHalves& operator=(const UpperHalves&) = delete;
};

ContentHash hash_and_leave(const void* data, std::size_t bytes) noexcept {
  const UpperHalves halves;
  return hash(data, bytes);
}

bool search_and_leave(const void* data, std::size_t bytes, WordRange range) noexcept {
  const UpperHalves halves;
  return search(data, bytes, range);
}

SearchedContent hash_search_and_leave(const void* data, std::size_t bytes,
                                      WordRange range) noexcept {
  const UpperHalves halves;
  return hash_and_search(data, bytes, range);
}

}  // namespace

const Passes kAvx2 = {hash_and_leave, search_and_leave, hash_search_and_leave};

}  // namespace xfer::content_pass
