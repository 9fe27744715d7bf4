#include "host_content.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "pending_downloads.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace xfer::tracer {
namespace {

// One byte at each end, for kernels before 5.14.
bool ends_are_readable(std::uint64_t address, std::uint64_t bytes) {
  char sink[2];
  const iovec local[] = {{sink, 2}};
  const iovec remote[] = {{reinterpret_cast<void*>(address), 1},
                          {reinterpret_cast<void*>(address + bytes - 1), 1}};
  return process_vm_readv(getpid(), local, 1, remote, 2, 0) == 2;
}

}  // namespace

bool is_readable(std::uint64_t address, std::uint64_t bytes) {
  if (address == 0 || bytes == 0 || address + bytes < address) return false;
  static const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t first = address & ~(page - 1);
  const std::uint64_t last = (address + bytes - 1) | (page - 1);
  const int saved = errno;
  bool readable = true;
  if (madvise(reinterpret_cast<void*>(first), last - first + 1, MADV_POPULATE_READ) != 0) {
    // EINVAL: an older kernel, or memory that cannot be populated, such as a device mapping.
    readable = errno == EINVAL && ends_are_readable(address, bytes);
  }
  errno = saved;
  return readable;
}

std::optional<ContentHash> hash_side(const Transfer& transfer, const CopySide& side, bool known) {
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : transfer.width;
  if (transfer.slices > 1 && side.slice_pitch != 0 && side.slice_pitch != pitch * transfer.rows)
    return std::nullopt;
  if (!known && !is_readable(side.address, extent(transfer, side))) return std::nullopt;
  const auto* data = reinterpret_cast<const void*>(side.address);
  const std::uint64_t rows = transfer.rows * transfer.slices;
  if (rows == 1 || pitch == transfer.width) return content_hash(data, transfer.bytes());
  return content_hash_rows(data, transfer.width, rows, pitch);
}

}  // namespace xfer::tracer
