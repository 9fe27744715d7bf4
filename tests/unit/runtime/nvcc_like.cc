// Looks like nvcc's generated C++ to a debugger: lines of sample.cu, but functions that were
// defined inside a class carry the generated file's name.

#include "nvcc_like.h"

#include "xfer/stack.h"

namespace nvcc_like {

struct Holder {
  std::vector<std::uintptr_t> upload();
};

#line 7 "tmpxft_00002703_00000000-6_sample.cudafe1.cpp"
[[gnu::noinline]] std::vector<std::uintptr_t> Holder::upload() {
  std::vector<std::uintptr_t> frames(xfer::kMaxStackDepth);
  frames.resize(xfer::capture_stack(frames));
  return frames;
}

#line 20 "sample.cu"
[[gnu::noinline]] std::vector<std::uintptr_t> run() {
  Holder holder;
  std::vector<std::uintptr_t> frames = holder.upload();
  asm volatile("" ::: "memory");
  return frames;
}

}  // namespace nvcc_like
