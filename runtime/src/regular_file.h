#pragma once
// Opens files that a trace names: one from elsewhere may name what would never end, or never open.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xfer {

/// A descriptor for reading; -1 when there is none, or it is no regular file.
inline int open_regular_file(const char* path) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat its{};
  if (descriptor < 0 || (fstat(descriptor, &its) == 0 && S_ISREG(its.st_mode))) return descriptor;
  close(descriptor);
  return -1;
}

}  // namespace xfer
