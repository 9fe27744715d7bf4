#include "xfer/trace_append.h"

#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "trace_format.h"

namespace xfer {
namespace {

using format::BlockHeader;

bool read_header(std::istream& in, std::uint64_t& begin) {
  format::FileHeader header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof(header))) return false;
  begin = header.header_bytes;
  return std::equal(std::begin(format::kMagic), std::end(format::kMagic), header.magic) &&
         header.version >= format::kOldestVersion && header.version <= format::kVersion;
}

// Of the block that comes next: one more than that of the last whole one.
std::uint64_t next_sequence(std::istream& in, std::uint64_t at, std::uint64_t size) {
  std::uint64_t sequence = 0;
  BlockHeader header{};
  while (in.seekg(static_cast<std::streamoff>(at)) &&
         in.read(reinterpret_cast<char*>(&header), sizeof(header)) &&
         header.magic == format::kBlockMagic) {
    at += sizeof(header) + header.stored_bytes;
    if (at > size) break;
    sequence = header.sequence + 1;
  }
  in.clear();
  return sequence;
}

std::string block_of(const TraceMetadata& metadata, std::uint64_t sequence) {
  std::string records;
  for (const auto& [key, value] : metadata) {
    records += static_cast<char>(format::kMetadata);
    format::put_text(records, key);
    format::put_text(records, value);
  }
  BlockHeader header{};
  header.magic = format::kBlockMagic;
  header.stored_bytes = header.raw_bytes = static_cast<std::uint32_t>(records.size());
  header.codec = format::kPlain;
  header.sequence = sequence;
  header.checksum =
      XXH3_64bits_withSeed(records.data(), records.size(), format::header_seed(header));
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + records;
}

}  // namespace

bool append_metadata(const std::filesystem::path& trace, const TraceMetadata& metadata) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(trace, error);
  std::fstream file(trace, std::ios::in | std::ios::out | std::ios::binary);
  std::uint64_t begin = 0;
  if (error || !file || !read_header(file, begin)) return false;
  const std::string block = block_of(metadata, next_sequence(file, begin, size));
  file.seekp(static_cast<std::streamoff>(size));
  file.write(block.data(), static_cast<std::streamsize>(block.size()));
  file.flush();
  if (file) return true;
  file.close();
  std::filesystem::resize_file(trace, size, error);
  return false;
}

}  // namespace xfer
