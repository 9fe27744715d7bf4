#pragma once
// Pages of a loaded library that are written to as long as this lives.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace xfer::emulator {

class OpenPages {
 public:
  OpenPages(std::uintptr_t begin, std::uintptr_t end) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    begin_ = begin / page * page;
    bytes_ = end - begin_;
    is_open_ = protect(PROT_READ | PROT_WRITE | PROT_EXEC);
  }
  OpenPages(const OpenPages&) = delete;
  OpenPages& operator=(const OpenPages&) = delete;
  ~OpenPages() {
    if (is_open_) protect(PROT_READ | PROT_EXEC);
  }
  bool is_open() const { return is_open_; }  ///< else errno says why

 private:
  bool protect(int access) const {
    return mprotect(reinterpret_cast<void*>(begin_), bytes_, access) == 0;
  }

  std::uintptr_t begin_;
  std::size_t bytes_;
  bool is_open_;
};

}  // namespace xfer::emulator
