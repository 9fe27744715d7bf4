#pragma once
// The layout of a trace file, shared by writer and reader. Little-endian throughout.
//
//   file    FileHeader, then blocks
//   block   BlockHeader, then `stored_bytes` bytes, zstd or plain; unpacked: records
//   record  a RecordTag byte, then its fields: numbers as LEB128, text as length and bytes
//
// Definitions (strings, modules, stacks, metadata) come before the first event that uses them. The
// state of delta coding is fresh in each block, so a damaged block costs its own records alone.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "xfer/event.h"

namespace xfer::format {

static_assert(std::endian::native == std::endian::little, "the trace format is little-endian");

inline constexpr char kMagic[8] = {'x', 'f', 'e', 'r', 't', 'r', 'c', '\n'};
inline constexpr std::uint32_t kVersion = 7;
inline constexpr std::uint32_t kOldestVersion = 1;  ///< has no Python; 2: no kUnread, kImplicit; 3:
                                                    ///< no kUnseen, kHostClock; 4: no
                                                    ///< kSourceChanged; 5: no pitches; 6:
                                                    ///< no kBufferName
inline constexpr std::uint32_t kBlockMagic = 0x4b4c4278;  // "xBLK"
inline constexpr std::uint32_t kMaxBlockBytes = 64u << 20;

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_bytes;
};
static_assert(sizeof(FileHeader) == 16);

enum Codec : std::uint32_t { kPlain = 0, kZstd = 1 };

struct BlockHeader {
  std::uint32_t magic;
  std::uint32_t stored_bytes;
  std::uint32_t raw_bytes;
  std::uint32_t codec;
  std::uint64_t sequence;  ///< 0, 1, 2 ...: a gap is a lost block
  std::uint64_t checksum;  ///< XXH3 of the stored bytes, seeded by header_seed()
};
static_assert(sizeof(BlockHeader) == 32);

/// Puts the header's own fields under the checksum.
constexpr std::uint64_t header_seed(const BlockHeader& header) {
  return (std::uint64_t{header.stored_bytes} << 32 | header.raw_bytes) ^
         (header.sequence * 0x9e3779b97f4a7c15ull) ^ header.codec;
}

enum RecordTag : std::uint8_t {
  kMetadata = 1,     ///< key, value
  kString = 2,       ///< id, text
  kModule = 3,       ///< id, path, build id, load bias
  kStack = 4,        ///< id, count, count x (module id, address less the bias; module 0: address)
  kEnd = 5,          ///< the trace is complete
  kEvent = 6,        ///< see EventCoder
  kPythonFrame = 7,  ///< id, function, file, line
  kPythonStack = 8,  ///< as kStack, then count, count x (id of a Python frame x 2 + entered)
};

inline void put_number(std::string& out, std::uint64_t value) {
  char bytes[10];
  std::size_t count = 0;
  while (value >= 0x80) {
    bytes[count++] = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes[count++] = static_cast<char>(value);
  out.append(bytes, count);
}

inline void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out.append(text);
}

constexpr std::uint64_t zigzag(std::uint64_t delta) {
  return (delta << 1) ^ (delta >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unzigzag(std::uint64_t value) {
  return (value >> 1) ^ ((value & 1) != 0 ? ~std::uint64_t{0} : 0);
}

/// Takes numbers and text off unpacked bytes. After the first failure all takes give 0 and ok() is
/// false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_ || !ok_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) break;
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > left()) ok_ = false;
    if (!ok_) return {};
    const std::string_view result(at_, size);
    at_ += size;
    return result;
  }
  template <class T>
  T plain() {
    T value{};
    if (left() < sizeof(T)) ok_ = false;
    if (!ok_) return value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  void fail() { ok_ = false; }

 private:
  const char* at_;
  const char* end_;
  bool ok_ = true;
};

/// Codes events against the one before: a 32-bit word of kind and of the fields that are not at
/// their default, then those fields. About 30 bytes for a copy, 12 for a launch, before
/// compression.
inline constexpr std::size_t kMaxEventBytes = sizeof(Event) + 64;  ///< of one, coded

class EventCoder {
 public:
  void put(std::string& out, const Event& event);
  Event take(Cursor& in);  ///< check in.ok() afterwards

 private:
  std::uint64_t time_ = 0;
  std::uint64_t correlation_ = 0;
};

}  // namespace xfer::format
