#include "fat_binary_writer.h"

#include <lz4.h>
#include <zstd.h>

#include <utility>

namespace xfer::test {
namespace {

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// The entry's flags for the packing, and the packed bytes.
std::pair<std::uint64_t, std::string> packed(const std::string& payload, Packing packing) {
  std::string out(ZSTD_compressBound(payload.size()) + 64, '\0');
  switch (packing) {
    case Packing::kZstd:
      out.resize(ZSTD_compress(out.data(), out.size(), payload.data(), payload.size(), 3));
      return {0x8000, out};
    case Packing::kLz4:
      out.resize(static_cast<std::size_t>(LZ4_compress_default(payload.data(), out.data(),
                                                               static_cast<int>(payload.size()),
                                                               static_cast<int>(out.size()))));
      return {0x2000, out};
    case Packing::kUnknown: return {0x1000, payload};
    case Packing::kNone: break;
  }
  return {0, payload};
}

}  // namespace

std::string entry(FatEntry::Kind kind, std::uint32_t architecture, std::string payload,
                  Packing packing, char variant) {
  auto [flags, bytes] = packed(payload, packing);
  if (variant != 0) flags |= variant == 'a' ? 0x100000u : 0x200000u;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  std::string out;
  put(out, kind);
  put<std::uint16_t>(out, 0x101);
  put<std::uint32_t>(out, 0x40);
  put<std::uint64_t>(out, bytes.size());
  put<std::uint32_t>(out, packing == Packing::kNone ? 0 : size);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, 9);
  put<std::uint32_t>(out, architecture);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, flags | 0x11);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, packing == Packing::kNone ? 0 : payload.size());
  return out + bytes;
}

std::string region(const std::string& entries) {
  std::string out(kRegionMagic);
  put<std::uint16_t>(out, 1);
  put<std::uint16_t>(out, kRegionHeaderSize);
  put<std::uint64_t>(out, entries.size());
  return out + entries;
}

}  // namespace xfer::test
