#include "machine/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "machine/twin_mapping.h"

namespace xfer::emulator {
namespace {

constexpr std::uint64_t kPage = 1 << 16;  // as large as any page Linux uses for such mappings

// The end of a block is not where another begins, nor what was freed just now.
constexpr RangeAllocator::Distance kDistance{RangeAllocator::kAlignment, 64, 64 << 20};

std::string failed(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

}  // namespace

DeviceMemory::~DeviceMemory() {
  if (span_ != 0) munmap(reinterpret_cast<void*>(base_), 2 * span_);
}

std::string DeviceMemory::map(int devices, std::uint64_t bytes) {
  bytes_each_ = (bytes + kPage - 1) / kPage * kPage;
  const std::uint64_t span = bytes_each_ * static_cast<std::uint64_t>(devices);
  void* const base =
      mmap(nullptr, 2 * span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return failed("mmap");
  base_ = reinterpret_cast<std::uintptr_t>(base);
  span_ = span;
  for (int device = 0; device < devices; ++device) {
    const std::uintptr_t program = device_base(device);
    if (const char* call = map_twice(program, kernel_view(program), bytes_each_))
      return failed(call);
    if (mprotect(reinterpret_cast<void*>(program), bytes_each_, PROT_NONE) != 0)
      return failed("mprotect");
    // A core dump of a program that trapped is about the program, not about gigabytes of device.
    madvise(reinterpret_cast<void*>(kernel_view(program)), bytes_each_, MADV_DONTDUMP);
    allocators_.emplace_back(bytes_each_, kDistance);
  }
  return {};
}

std::optional<std::uintptr_t> DeviceMemory::allocate(int device, std::uint64_t bytes) {
  const auto offset = allocators_[static_cast<std::size_t>(device)].allocate(bytes);
  if (!offset) return std::nullopt;
  return device_base(device) + *offset;
}

std::optional<DeviceMemory::Block> DeviceMemory::release(std::uintptr_t address) {
  const int device = device_of(address);
  if (device < 0) return std::nullopt;
  const auto block = to_block(
      device, allocators_[static_cast<std::size_t>(device)].release(address - device_base(device)));
  if (block) {
    const std::uint64_t begin = (address - device_base(device) + kPage - 1) / kPage * kPage;
    const std::uint64_t end = (address - device_base(device) + block->bytes) / kPage * kPage;
    if (begin < end) drop_pages(kernel_view(device_base(device) + begin), end - begin);
  }
  return block;
}

std::optional<DeviceMemory::Block> DeviceMemory::find(std::uintptr_t address) const {
  const int device = device_of(address);
  if (device < 0) return std::nullopt;
  return to_block(
      device, allocators_[static_cast<std::size_t>(device)].find(address - device_base(device)));
}

std::optional<DeviceMemory::Block> DeviceMemory::find_before(std::uintptr_t address) const {
  const int device = device_of(address);
  if (device < 0) return std::nullopt;
  return to_block(device, allocators_[static_cast<std::size_t>(device)].find_before(
                              address - device_base(device)));
}

void DeviceMemory::clear(int device) {
  allocators_[static_cast<std::size_t>(device)] = RangeAllocator(bytes_each_, kDistance);
  drop_pages(kernel_view(device_base(device)), bytes_each_);
}

std::uint64_t DeviceMemory::bytes_free(int device) const {
  return allocators_[static_cast<std::size_t>(device)].bytes_free();
}

std::uint64_t DeviceMemory::bytes_used() const {
  std::uint64_t bytes = 0;
  for (const RangeAllocator& allocator : allocators_) bytes += bytes_each_ - allocator.bytes_free();
  return bytes;
}

std::optional<DeviceMemory::Block> DeviceMemory::to_block(
    int device, std::optional<RangeAllocator::Range> range) const {
  if (!range) return std::nullopt;
  return Block{device, device_base(device) + range->offset, range->bytes};
}

}  // namespace xfer::emulator
