#pragma once
// Memory of this process that may go away at any moment, read through the kernel, which then says
// no. Whole pages are fetched, many in one call, and kept: one object of this class sees a place
// only once. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xfer {

class CarefulMemory {
 public:
  /// Fetches the pages of these addresses that are not there yet, in one call where it can.
  void fetch(std::span<const std::uintptr_t> addresses);

  /// Copies; false where the memory is not there.
  bool read(std::uintptr_t address, void* to, std::size_t size);

 private:
  static constexpr std::size_t kPageBytes = 4096;  // every larger page is several of these
  struct Page {
    std::uintptr_t begin;
    bool readable;
    std::size_t at;  ///< in bytes_
  };
  const Page* find(std::uintptr_t begin) const;
  const Page& get(std::uintptr_t begin);

  std::vector<Page> pages_;
  std::vector<char> bytes_;
};

}  // namespace xfer
