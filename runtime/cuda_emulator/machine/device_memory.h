#pragma once
// The memory of all devices, mapped twice. Programs hold addresses of the first view, which nobody
// can read or write: a host touch traps, always, with no window in which it would not. Copies and
// kernels use the second view, a fixed distance away. Two mappings a device, however many blocks
// are allocated.
//
// allocate/release/find are not thread-safe; the address arithmetic is, and is safe in a signal
// handler.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/range_allocator.h"

namespace xfer::emulator {

class DeviceMemory {
 public:
  struct Block {
    int device;
    std::uintptr_t address;
    std::uint64_t bytes;
  };

  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  /// Maps `devices` memories of `bytes` each. An empty string, or why it could not be done.
  std::string map(int devices, std::uint64_t bytes);

  /// The device whose memory holds the address, or -1.
  int device_of(std::uintptr_t address) const {
    const std::uintptr_t offset = address - base_;
    return offset < span_ ? static_cast<int>(offset / bytes_each_) : -1;
  }
  /// The address at which copies and kernels reach what the program calls `address`.
  std::uintptr_t kernel_view(std::uintptr_t address) const { return address + span_; }
  /// Where the memory of all devices begins for programs: kernels reach it `span` higher.
  std::uintptr_t base() const { return base_; }
  std::uint64_t span() const { return span_; }
  std::byte* kernel_view(const void* address) const {
    return reinterpret_cast<std::byte*>(kernel_view(reinterpret_cast<std::uintptr_t>(address)));
  }

  std::optional<std::uintptr_t> allocate(int device, std::uint64_t bytes);
  /// Forgets the block that begins at the address and gives its pages back.
  std::optional<Block> release(std::uintptr_t address);
  std::optional<Block> find(std::uintptr_t address) const;
  std::optional<Block> find_before(std::uintptr_t address) const;

  /// Calls visit(Block) for every block, in the order of their addresses.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t device = 0; device < allocators_.size(); ++device)
      allocators_[device].for_each([&](const RangeAllocator::Range& range) {
        visit(*to_block(static_cast<int>(device), range));
      });
  }

  /// The same of the places between and behind them where blocks may have been: [begin, end).
  template <typename Visit>
  void for_each_gap(Visit&& visit) const {
    for (std::size_t device = 0; device < allocators_.size(); ++device) {
      const std::uintptr_t base = device_base(static_cast<int>(device));
      std::uint64_t end = 0;
      allocators_[device].for_each([&](const RangeAllocator::Range& range) {
        if (end < range.offset) visit(base + end, base + range.offset);
        end = range.offset + range.bytes;
      });
      if (end < allocators_[device].highest())
        visit(base + end, base + allocators_[device].highest());
    }
  }

  /// Releases every block of the device.
  void clear(int device);

  std::uint64_t bytes_total() const { return bytes_each_; }
  std::uint64_t bytes_free(int device) const;
  /// Of all devices.
  std::uint64_t bytes_used() const;

 private:
  std::optional<Block> to_block(int device, std::optional<RangeAllocator::Range> range) const;
  std::uintptr_t device_base(int device) const {
    return base_ + static_cast<std::uintptr_t>(device) * bytes_each_;
  }

  std::uintptr_t base_ = 0;
  std::uint64_t span_ = 0;  // of one view: all devices
  std::uint64_t bytes_each_ = 1;
  std::vector<RangeAllocator> allocators_;
};

}  // namespace xfer::emulator
