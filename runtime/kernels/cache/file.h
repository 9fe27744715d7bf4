#pragma once
// An open file or directory of this user's, which nobody else may write to.

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace xfer::kernels {

class File {
 public:
  /// Takes what open() gave; below 0: nothing.
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (is_open()) close(descriptor_);
  }

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

  /// Whether it is of that kind (S_IFREG, S_IFDIR), and nobody else's hands were on it.
  bool is_ours(mode_t kind, struct stat* status) const {
    return is_open() && fstat(descriptor_, status) == 0 && (status->st_mode & S_IFMT) == kind &&
           status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }

 private:
  int descriptor_;
};

}  // namespace xfer::kernels
