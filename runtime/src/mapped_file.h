#pragma once
// A regular file's bytes, mapped for reading.

#include <sys/mman.h>

#include <string_view>

#include "regular_file.h"

namespace xfer {

class MappedFile {
 public:
  /// Empty where the file cannot be read, or is no regular one.
  explicit MappedFile(const char* path) {
    const int descriptor = open_regular_file(path);
    if (descriptor < 0) return;
    struct stat its{};
    if (fstat(descriptor, &its) == 0 && its.st_size > 0) {
      const auto size = static_cast<std::size_t>(its.st_size);
      void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), size};
    }
    close(descriptor);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace xfer
