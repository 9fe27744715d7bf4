#pragma once
// Blocks of a kernel `run(in, out, n)`, run thread by thread and warp by warp, each from fresh
// memory that ends where no more may be touched.

#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace xfer::kernels {

inline constexpr std::size_t kPage = 4096;

/// Memory that ends where no more may be touched.
class Pages {
 public:
  Pages()
      : all_(static_cast<std::byte*>(
            mmap(nullptr, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(begin(), kPage, PROT_READ | PROT_WRITE);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { munmap(all_, 3 * kPage); }

  std::byte* begin() const { return all_ + kPage; }
  std::byte* end() const { return begin() + kPage; }

 private:
  std::byte* all_;
};

struct Size {
  std::uint32_t x = 32, y = 1, z = 1;
  std::uint32_t threads() const { return x * y * z; }
};

/// A kernel `run(in, out, n)` whose body finds them in %in, %out and %n, and %tid.x in %x. It has
/// a `room` of shared memory.
inline std::string kernel_of(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry run(.param .u64 p0, .param .u64 p1, .param .u32 p2)\n{\n"
         ".shared .align 16 .b8 room[1024];\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 "
         "%d<32>;\n.reg .f32 %f<8>;\n"
         ".reg .b16 %h<8>;\n.reg .b64 %in, %out;\n.reg .b32 %n, %x, %y;\n"
         "ld.param.u64 %in, [p0];\nld.param.u64 %out, [p1];\nld.param.u32 %n, [p2];\n"
         "mov.u32 %x, %tid.x;\nmov.u32 %y, %tid.y;\n" +
         body + "\nend:\nret;\n}\n";
}

/// One run of a block, by threads or by warps, with fresh memory.
class Run {
 public:
  Run(Size size, std::uint32_t n) : size_(size) {
    for (std::size_t i = 0; i < kPage; ++i) {
      in_.begin()[i] = static_cast<std::byte>(i * 37 + i / 256);
      out_.begin()[i] = std::byte{0xEE};
    }
    const std::uintptr_t addresses[] = {reinterpret_cast<std::uintptr_t>(in_.end()),
                                        reinterpret_cast<std::uintptr_t>(out_.end())};
    std::memcpy(parameters_.data(), addresses, sizeof(addresses));
    std::memcpy(parameters_.data() + sizeof(addresses), &n, sizeof(n));
    block_.parameters = parameters_.data();
    block_.services = &services();
    block_.shared = shared_.data();
    const std::uint32_t sizes[] = {size.x, size.y, size.z};
    std::memcpy(block_.block_size, sizes, sizeof(sizes));
  }

  std::vector<std::byte> by_threads(const Code& code) {
    for (std::uint32_t i = 0; i < size_.threads(); ++i) {
      Thread thread = thread_of(i);
      code.run(&thread);
    }
    return written();
  }

  /// Each warp leaves at its stop of that number, and its threads go on.
  std::vector<std::byte> by_warps(RunWarp run,
                                  unsigned stops = std::numeric_limits<unsigned>::max()) {
    for (std::uint32_t first = 0; first < size_.threads(); first += kLanes) {
      Warp warp;
      std::array<Thread, kLanes> threads;
      warp.block = &block_;
      warp.threads = threads.data();
      warp.number = first / kLanes;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        threads[lane] = thread_of(first + lane);
        if (first + lane < size_.threads()) warp.lanes |= 1U << lane;
        for (std::size_t part = 0; part < 3; ++part)
          warp.index[part][lane] = threads[lane].index[part];
      }
      to_the_end(warp, run(&warp), stops);
      std::free(warp.frame);
      std::free(warp.state);
    }
    return written();
  }

 private:
  /// Barriers and yields do nothing: threads of such a kernel do not depend on each other.
  static const Services& services() {
    static const Services kServices = [] {
      Services its;
      its.barrier = [](Thread*, std::uint32_t, std::uint32_t) {};
      its.yield = [](Thread*) {};
      return its;
    }();
    return kServices;
  }

  static void to_the_end(Warp& warp, void* handle, unsigned stops) {
    while (warp.stop != WarpStop::kEnd) {
      warp.leaves = stops-- == 0 ? 1 : 0;
      resume(handle);
      if (warp.leaves == 0) continue;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        if (warp.state->at[lane] != WarpState::kEnded) warp.go_on(&warp.threads[lane], warp.state);
    }
  }

  Thread thread_of(std::uint32_t number) {
    Thread thread;
    thread.block = &block_;
    thread.number = number;
    thread.index[0] = number % size_.x;
    thread.index[1] = number / size_.x % size_.y;
    thread.index[2] = number / size_.x / size_.y;
    return thread;
  }
  std::vector<std::byte> written() const { return {out_.begin(), out_.end()}; }

  const Size size_;
  Pages in_, out_;
  std::array<std::byte, 24> parameters_{};
  alignas(128) std::array<std::byte, 1024> shared_{};
  Block block_;
};

}  // namespace xfer::kernels
