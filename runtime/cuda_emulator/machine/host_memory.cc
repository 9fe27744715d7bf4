#include "machine/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "machine/page.h"

namespace xfer::emulator {
namespace {

// Pages of its own, as a device gives them: a kernel that writes a little behind the end must not
// reach what the program keeps there.
std::size_t mapped_bytes(std::size_t bytes) { return whole_pages(std::max<std::size_t>(bytes, 1)); }

void* map_pages(std::size_t bytes) {
  void* const memory = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// As the kernel lists it: "7f880504c000-7f880508c000 rw-p 00000000 00:00 0".
bool can_be_read_and_written(std::uintptr_t begin, std::uintptr_t end) {
  std::ifstream list("/proc/thread-self/maps");
  for (std::string line; begin < end && std::getline(list, line);) {
    std::istringstream words(line);
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char dash = 0;
    std::string rights;
    words >> std::hex >> first >> dash >> last >> rights;
    if (last <= begin) continue;
    if (!words || first > begin || !rights.starts_with("rw-")) return false;
    begin = last;
  }
  return begin >= end;
}

}  // namespace

void* HostMemory::allocate(std::size_t bytes, HostKind kind, unsigned flags, int device) {
  void* memory = pinned_.allocate(bytes);
  if (memory == nullptr) memory = map_pages(bytes);
  if (memory == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  blocks_.emplace(address, HostBlock{address, bytes, kind, flags, device});
  return memory;
}

bool HostMemory::release(void* address, bool managed) {
  const auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it == blocks_.end()) return false;
  if (it->second.kind != (managed ? HostKind::kManaged : HostKind::kPinned)) return false;
  const std::size_t bytes = it->second.bytes;
  blocks_.erase(it);
  if (!pinned_.release(address)) munmap(address, mapped_bytes(bytes));
  return true;
}

bool HostMemory::add_registered(void* address, std::size_t bytes, unsigned flags, int device) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const auto next = blocks_.lower_bound(begin);
  if (next != blocks_.end() && next->first < begin + bytes) return false;
  if (find(begin)) return false;
  blocks_.emplace(begin, HostBlock{begin, bytes, HostKind::kRegistered, flags, device,
                                   can_be_read_and_written(begin, begin + bytes)});
  return true;
}

bool HostMemory::remove_registered(void* address) {
  const auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it == blocks_.end() || it->second.kind != HostKind::kRegistered) return false;
  blocks_.erase(it);
  return true;
}

std::optional<HostBlock> HostMemory::find(std::uintptr_t address) const {
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return std::nullopt;
  it = std::prev(it);
  if (address - it->first >= it->second.bytes) return std::nullopt;
  return it->second;
}

}  // namespace xfer::emulator
