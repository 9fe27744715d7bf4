#include "careful_memory.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace xfer {

const CarefulMemory::Page* CarefulMemory::find(std::uintptr_t begin) const {
  const auto found = std::find_if(pages_.begin(), pages_.end(),
                                  [&](const Page& page) { return page.begin == begin; });
  return found != pages_.end() ? &*found : nullptr;
}

void CarefulMemory::fetch(std::span<const std::uintptr_t> addresses) {
  constexpr std::size_t kMost = 64;
  std::array<iovec, kMost> remote;
  const std::size_t first = pages_.size();
  for (const std::uintptr_t address : addresses) {
    const std::uintptr_t begin = address & ~(kPageBytes - 1);
    if (pages_.size() - first == kMost) break;
    if (find(begin) != nullptr) continue;
    remote[pages_.size() - first] = {reinterpret_cast<void*>(begin), kPageBytes};
    pages_.push_back({begin, false, pages_.size() * kPageBytes});
  }
  const std::size_t count = pages_.size() - first;
  if (count == 0) return;
  bytes_.resize(pages_.size() * kPageBytes);
  const int saved = errno;
  // The kernel stops at the first page that is not there; those behind it are asked for again.
  for (std::size_t done = 0; done < count; ++done) {
    const iovec local = {bytes_.data() + (first + done) * kPageBytes, (count - done) * kPageBytes};
    const ssize_t read =
        process_vm_readv(getpid(), &local, 1, remote.data() + done, count - done, 0);
    for (ssize_t got = static_cast<ssize_t>(kPageBytes); got <= read;
         got += static_cast<ssize_t>(kPageBytes))
      pages_[first + done++].readable = true;
  }
  errno = saved;
}

const CarefulMemory::Page& CarefulMemory::get(std::uintptr_t begin) {
  if (find(begin) == nullptr) fetch({&begin, 1});
  return *find(begin);
}

bool CarefulMemory::read(std::uintptr_t address, void* to, std::size_t size) {
  auto* out = static_cast<char*>(to);
  while (size != 0) {
    const std::uintptr_t begin = address & ~(kPageBytes - 1);
    const Page& page = get(begin);
    if (!page.readable) return false;
    const std::size_t part = std::min(size, begin + kPageBytes - address);
    std::memcpy(out, bytes_.data() + page.at + (address - begin), part);
    out += part;
    address += part;
    size -= part;
  }
  return true;
}

}  // namespace xfer
