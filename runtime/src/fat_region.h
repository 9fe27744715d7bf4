#pragma once
// A region of device code, as nvcc's fatbinary writes it into programs and files.
//
// Layout (CUDA 11 to 13): a header {magic, version, header size, size} of 16 bytes, then entries
// {kind, version, header size, payload size, ...}. A payload is plain, a zstd frame, or a block of
// LZ4 (CUDA before 12.8, and nvcc --compress-mode=speed); the entry's flags say which, but only for
// LZ4 they are needed.
//
// Cost: reading copies nothing. Bad input gives fewer entries, never a fault.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xfer {

inline constexpr std::string_view kRegionMagic = "\x50\xed\x55\xba";
inline constexpr std::size_t kRegionHeaderSize = 16;

struct FatEntry {
  enum class Kind : std::uint16_t { kPtx = 1, kMachineCode = 2 };
  Kind kind;
  std::uint32_t architecture;  ///< 90: compute_90 or sm_90
  char variant;                ///< 'a' of sm_90a, 'f' of sm_100f, else 0
  std::string_view payload;
  std::uint32_t compressed_size;  ///< 0: not compressed
  std::uint64_t flags;
  std::uint64_t unpacked_size;
};

struct FatRegion {
  std::vector<FatEntry> entries;
  bool whole = true;  ///< no entry is cut short
};

/// Bytes of the region that begins here, its header included; they may be more than are there, and
/// npos of a broken header or a part of one. Nothing where none begins.
std::optional<std::size_t> region_size(std::string_view bytes);

/// Of the bytes of one region, from its header on.
FatRegion read_region(std::string_view region);

/// A PTX entry's text. Nothing where it cannot be unpacked; `why` (may be null) then ends a
/// sentence about it.
std::optional<std::string> unpack(const FatEntry& entry, std::string* why);

}  // namespace xfer
