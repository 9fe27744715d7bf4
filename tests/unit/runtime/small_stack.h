#pragma once
// An alternate stack for signal handlers that has room for the kernel's frame, as large as this
// processor's registers make it, and for a few bytes more. Nothing below it can be touched, so that
// a handler which takes more dies.

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <stdexcept>

namespace xfer::test {

class SmallStack {
 public:
  explicit SmallStack(std::size_t more) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const long frame = sysconf(_SC_MINSIGSTKSZ);
    if (frame <= 0) throw std::runtime_error("the size of a signal's frame is not known");
    bytes_ = (static_cast<std::size_t>(frame) + more + 15) / 16 * 16;
    mapped_ = page + (bytes_ + page - 1) / page * page;
    memory_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || mprotect(memory_, page, PROT_NONE) != 0)
      throw std::runtime_error("no memory for a stack");
    begin_ = static_cast<char*>(memory_) + page;
    const stack_t stack = {begin_, 0, bytes_};
    if (sigaltstack(&stack, &before_) != 0) throw std::runtime_error("sigaltstack");
  }
  ~SmallStack() {
    sigaltstack(&before_, nullptr);
    munmap(memory_, mapped_);
  }
  SmallStack(const SmallStack&) = delete;
  SmallStack& operator=(const SmallStack&) = delete;

  bool holds(const void* address) const { return address >= begin_ && address < begin_ + bytes_; }

 private:
  void* memory_ = nullptr;
  char* begin_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t bytes_ = 0;
  stack_t before_{};
};

}  // namespace xfer::test
