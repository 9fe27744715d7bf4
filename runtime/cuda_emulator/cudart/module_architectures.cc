#include "cudart/module_architectures.h"

#include <cstdint>
#include <cstring>

namespace xfer::emulator {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kCodeMagic = 0xba55ed50;

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const unsigned char* code;
};

struct CodeHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;
};

struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t payload_size;
  std::uint32_t unused[3];
  std::uint32_t architecture;
};

template <class T>
T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

}  // namespace

std::vector<int> module_architectures(const void* wrapper) {
  std::vector<int> architectures;
  if (wrapper == nullptr) return architectures;
  const auto outer = read<Wrapper>(wrapper);
  if (outer.magic != kWrapperMagic || outer.code == nullptr) return architectures;
  const auto code = read<CodeHeader>(outer.code);
  if (code.magic != kCodeMagic) return architectures;
  const unsigned char* at = outer.code + code.header_size;
  for (std::uint64_t left = code.size; left >= sizeof(EntryHeader);) {
    const auto entry = read<EntryHeader>(at);
    const std::uint64_t size = entry.header_size + entry.payload_size;
    if (entry.header_size < sizeof(EntryHeader) || size > left) break;
    architectures.push_back(static_cast<int>(entry.architecture));
    at += size;
    left -= size;
  }
  return architectures;
}

}  // namespace xfer::emulator
