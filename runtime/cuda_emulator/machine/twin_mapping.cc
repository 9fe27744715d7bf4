#include "machine/twin_mapping.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

namespace xfer::emulator {
namespace {

constexpr int kReadWrite = PROT_READ | PROT_WRITE;

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

// Growing a file beyond the limit raises SIGXFSZ, which would end the program.
bool a_file_may_have(std::size_t bytes) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

// The system counts nothing of it before it is used, whatever its policy on overcommitment is.
const char* map_file(std::uintptr_t first, std::uintptr_t second, std::size_t bytes) {
  const int file = memfd_create("xfer-emulated-cuda", MFD_CLOEXEC);
  if (file < 0) return "memfd_create";
  const char* failed = ftruncate(file, static_cast<off_t>(bytes)) != 0 ? "ftruncate" : nullptr;
  const auto map = [&](std::uintptr_t view) {
    return mmap(at(view), bytes, kReadWrite, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, 0) !=
           MAP_FAILED;
  };
  if (failed == nullptr && (!map(first) || !map(second))) failed = "mmap";
  const int saved = errno;
  close(file);
  errno = saved;
  return failed;
}

// An old size of 0 has the kernel map a shared mapping once more.
const char* map_anonymous(std::uintptr_t first, std::uintptr_t second, std::size_t bytes) {
  if (mmap(at(first), bytes, kReadWrite, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
           0) == MAP_FAILED)
    return "mmap";
  if (mremap(at(first), 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at(second)) == MAP_FAILED)
    return "mremap";
  return nullptr;
}

}  // namespace

const char* map_twice(std::uintptr_t first, std::uintptr_t second, std::size_t bytes) {
  return a_file_may_have(bytes) ? map_file(first, second, bytes)
                                : map_anonymous(first, second, bytes);
}

void drop_pages(std::uintptr_t view, std::size_t bytes) { madvise(at(view), bytes, MADV_REMOVE); }

}  // namespace xfer::emulator
