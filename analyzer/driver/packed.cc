#include "analyzer/driver/packed.h"

#include <zstd.h>

namespace xfer::lint {
namespace {

constexpr int kLevel = 3;  // what zstd calls its default

}  // namespace

std::string packed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
  out.resize(size);
  return out;
}

std::optional<std::string> unpacked(std::string_view bytes, std::size_t size) {
  // The bytes say their size themselves: a wrong one asks for no memory.
  if (ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != size) return std::nullopt;
  std::string out(size, '\0');
  if (ZSTD_decompress(out.data(), size, bytes.data(), bytes.size()) != size) return std::nullopt;
  return out;
}

}  // namespace xfer::lint
