#include "fat_region.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace xfer {
namespace {

constexpr std::size_t kLargestText = std::size_t{256} << 20;
constexpr std::uint64_t kLz4LargestRatio = 255;

enum Flag : std::uint64_t { kLz4 = 0x2000, kOneArchitecture = 0x100000, kOneFamily = 0x200000 };

struct RegionHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;
};
static_assert(sizeof(RegionHeader) == kRegionHeaderSize);

struct EntryHeader {
  FatEntry::Kind kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t payload_size;  ///< with padding
  std::uint32_t compressed_size;
  std::uint32_t options;
  std::uint32_t code_version;
  std::uint32_t architecture;
  std::uint32_t name_offset;
  std::uint32_t name_size;
  std::uint64_t flags;
  std::uint64_t unused;
  std::uint64_t unpacked_size;
};

template <class T>
std::optional<T> read(std::string_view bytes) {
  T value;
  if (bytes.size() < sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

char variant_of(std::uint64_t flags) {
  if ((flags & kOneArchitecture) != 0) return 'a';
  return (flags & kOneFamily) != 0 ? 'f' : '\0';
}

std::optional<std::string> unpack_zstd(std::string_view frame, unsigned long long size) {
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestText) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  const std::size_t written = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) != 0) return std::nullopt;
  text.resize(written);
  return text;
}

std::optional<std::string> unpack_lz4(std::string_view block, std::uint64_t size) {
  if (block.size() > kLargestText ||
      size > std::min<std::uint64_t>(kLargestText, kLz4LargestRatio * block.size()))
    return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  const int written = LZ4_decompress_safe(block.data(), text.data(), static_cast<int>(block.size()),
                                          static_cast<int>(text.size()));
  if (written < 0 || static_cast<std::uint64_t>(written) != size) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::size_t> region_size(std::string_view bytes) {
  if (!bytes.starts_with(kRegionMagic)) return std::nullopt;
  const auto header = read<RegionHeader>(bytes);
  if (!header || header->header_size < sizeof(RegionHeader) ||
      header->size > bytes.npos - header->header_size)
    return bytes.npos;
  return header->header_size + static_cast<std::size_t>(header->size);
}

FatRegion read_region(std::string_view region) {
  FatRegion found;
  const auto header = read<RegionHeader>(region);
  if (!header || header->header_size > region.size()) return {{}, false};
  std::string_view left = region.substr(header->header_size);
  while (const auto entry = read<EntryHeader>(left)) {
    if (entry->header_size < sizeof(EntryHeader) || entry->header_size > left.size() ||
        entry->payload_size > left.size() - entry->header_size) {
      found.whole = false;
      break;
    }
    const std::string_view payload = left.substr(entry->header_size, entry->payload_size);
    found.entries.push_back({entry->kind, entry->architecture, variant_of(entry->flags), payload,
                             entry->compressed_size, entry->flags, entry->unpacked_size});
    left.remove_prefix(entry->header_size + payload.size());
  }
  return found;
}

std::optional<std::string> unpack(const FatEntry& entry, std::string* why) {
  std::string_view payload = entry.payload;
  if (entry.compressed_size != 0)
    payload = payload.substr(0, std::min<std::size_t>(entry.compressed_size, payload.size()));
  const unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
  std::optional<std::string> text;
  const char* fault = "cannot be unpacked";
  if (size != ZSTD_CONTENTSIZE_ERROR)
    text = unpack_zstd(payload, size);
  else if (entry.compressed_size == 0)
    text = std::string(payload);
  else if ((entry.flags & kLz4) != 0)
    text = unpack_lz4(payload, entry.unpacked_size);
  else
    fault = "is compressed in an unknown way";
  if (!text && why != nullptr) *why = fault;
  if (text) text->resize(text->find_last_not_of('\0') + 1);  // what pads it
  return text;
}

}  // namespace xfer
