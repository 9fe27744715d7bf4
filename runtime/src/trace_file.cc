#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xfer/hold_write_signals.h"

namespace xfer {
namespace {

constexpr int kFirstDescriptor = 700;

int move_up(int descriptor) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (moved < 0) return descriptor;  // a low descriptor limit
  ::close(descriptor);
  return moved;
}

}  // namespace

bool TraceFile::open(const char* path) {
  // The program may change its working directory before the file has to be opened again.
  if (path[0] == '/') {
    path_ = path;
  } else {
    char* directory = getcwd(nullptr, 0);
    if (directory == nullptr) return false;
    path_ = std::string(directory) + "/" + path;
    free(directory);
  }
  const int descriptor =
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  if (descriptor < 0) return false;
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int error = S_ISREG(status.st_mode) ? errno : EINVAL;
    ::close(descriptor);
    errno = error;
    return false;
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  descriptor_ = move_up(descriptor);
  return true;
}

bool TraceFile::is_ours() const noexcept {
  struct stat status;
  return descriptor_ >= 0 && fstat(descriptor_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

bool TraceFile::reopen() noexcept {
  if (path_.empty()) return false;
  // Other code closed our descriptor; its number may be another file's now, so leave it alone.
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) return false;
  if (!is_ours()) {
    ::close(descriptor_);
    descriptor_ = -1;
    errno = ENOENT;
    return false;
  }
  descriptor_ = move_up(descriptor_);
  return true;
}

bool TraceFile::append(const void* data, std::size_t size) noexcept {
  if (!is_ours() && !reopen()) return false;
  const HoldWriteSignals held;
  std::size_t written = 0;
  while (written < size) {
    const ssize_t count =
        ::write(descriptor_, static_cast<const char*>(data) + written, size - written);
    if (count > 0) {
      written += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      const int error = count == 0 ? ENOSPC : errno;
      if (written != 0 && ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
      }
      errno = error;
      return false;
    }
  }
  size_ += size;
  return true;
}

void TraceFile::close() noexcept {
  if (is_ours()) ::close(descriptor_);
  descriptor_ = -1;
  path_.clear();
}

}  // namespace xfer
