#pragma once
// Bytes as a file in memory, for code that opens files.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace xfer::fuzz {

class BytesAsFile {
 public:
  explicit BytesAsFile(std::string_view bytes) : file_(memfd_create("input", MFD_CLOEXEC)) {
    if (file_ < 0) std::abort();
    if (write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }
  ~BytesAsFile() { close(file_); }
  BytesAsFile(const BytesAsFile&) = delete;
  BytesAsFile& operator=(const BytesAsFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace xfer::fuzz
