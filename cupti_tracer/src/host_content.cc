#include "host_content.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "host_clock.h"
#include "mappings.h"
#include "page.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace xfer::tracer {
namespace {

constexpr std::uint64_t kNsPerPage = 100;  // of asking page by page, at least

// One byte of every page, for kernels before 5.14 and for mappings that cannot be populated.
bool pages_are_readable(std::uint64_t first, std::uint64_t last, std::uint64_t page) {
  constexpr std::size_t kBatch = 256;
  char sink[kBatch];
  iovec remote[kBatch];
  const iovec local = {sink, kBatch};
  for (std::uint64_t at = first; at <= last;) {
    std::size_t count = 0;
    for (; count < kBatch && at <= last; ++count, at += page)
      remote[count] = {reinterpret_cast<void*>(at), 1};
    if (process_vm_readv(getpid(), &local, 1, remote, count, 0) != static_cast<ssize_t>(count))
      return false;
  }
  return true;
}

bool can_populate(std::uint64_t first, std::uint64_t last, std::uint64_t page) {
  if (madvise(reinterpret_cast<void*>(first), last - first + 1, MADV_POPULATE_READ) == 0)
    return true;
  // EINVAL: an older kernel, or memory that cannot be populated: a device mapping, one without
  // rights.
  return errno == EINVAL && pages_are_readable(first, last, page);
}

// The kernel's list of mappings costs the same for any size. Plain memory that may be read is
// certain; of files, whose end may lie before that of the mapping, and of holes the list does not
// decide.
bool is_plain_memory(std::uint64_t first, std::uint64_t last) {
  bool readable = false;
  std::uint64_t next = first;  // all before it is readable
  read_mappings([&](const Mapping& mapping) {
    if (mapping.end <= next) return true;
    const bool plain = mapping.readable && mapping.inode == 0 && !mapping.special;
    if (mapping.begin > next || !plain) return false;
    next = mapping.end;
    readable = next > last;
    return !readable;
  });
  return readable;
}

}  // namespace

bool is_readable(std::uint64_t address, std::uint64_t bytes) {
  if (address == 0 || bytes == 0 || address + bytes < address) return false;
  const std::uint64_t page = page_bytes();
  static std::atomic<std::uint64_t> list_ns = 50'000;  // what the list cost when last read
  const std::uint64_t first = address & ~(page - 1);
  const std::uint64_t last = (address + bytes - 1) | (page - 1);
  const int saved = errno;
  bool readable = false;
  if ((last - first) / page * kNsPerPage > list_ns.load(std::memory_order_relaxed)) {
    const std::uint64_t begin = host_clock_ns();
    readable = is_plain_memory(first, last);
    list_ns.store(host_clock_ns() - begin, std::memory_order_relaxed);
  }
  readable = readable || can_populate(first, last, page);
  errno = saved;
  return readable;
}

std::optional<ContentHash> hash_side(const CopyCall& transfer, const CopySide& side, bool known) {
  if (!known && !is_readable(side.address, transfer.extent(side))) return std::nullopt;
  const auto* data = reinterpret_cast<const void*>(side.address);
  const std::uint64_t bytes = transfer.bytes();
  if (transfer.extent(side) == bytes) return content_hash(data, bytes);
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : transfer.width;
  return content_hash_rows(data,
                           {transfer.width, transfer.rows, pitch, transfer.slices,
                            side.slice_pitch != 0 ? side.slice_pitch : pitch * transfer.rows});
}

}  // namespace xfer::tracer
