// The grid of a launch, for .cu files.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cuda/check.h"
#include "kernels/launch.cuh"

namespace tensorlib::cuda {

// Blocks for a grid loop over n elements. Enough to fill any GPU; the loop does the rest.
inline unsigned blocks_for(int64_t n) {
  constexpr int64_t kMost = 1 << 16;
  return static_cast<unsigned>(
      std::clamp<int64_t>((n + kernels::kThreads - 1) / kernels::kThreads, 1, kMost));
}

// Threads (a power of two) for a block that walks n elements.
inline unsigned threads_for(int64_t n) {
  unsigned threads = 32;
  while (threads < static_cast<unsigned>(kernels::kThreads) && threads < n) threads *= 2;
  return threads;
}

}  // namespace tensorlib::cuda

// A kernel over n elements on this backend's stream. The kernel comes last: its template arguments
// have commas.
#define TENSORLIB_LAUNCH(n, arguments, ...)                                                        \
  do {                                                                                             \
    __VA_ARGS__<<<::tensorlib::cuda::blocks_for(n), ::tensorlib::kernels::kThreads, 0, stream()>>> \
        arguments;                                                                                 \
    TENSORLIB_CUDA_LAUNCHED();                                                                     \
  } while (false)
