// Timing for benchmarks that are compiled for tensorlib and (XFER_BENCH_TORCH) for LibTorch.
#pragma once

#ifdef XFER_BENCH_TORCH
#include <torch/torch.h>
#else
#include <tensorlib/tensorlib.h>
namespace torch = tensorlib;
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

using Clock = std::chrono::steady_clock;

inline double seconds_of(const std::function<void()>& work, int times) {
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Runs of about 20 ms, the best of them within a second: the machine's noise only ever adds.
// Prints "name<TAB>microseconds", of one of `parts` that a call of `work` does.
inline void measure(const char* name, const std::function<void()>& work, int parts = 1) {
  work();
  int times = 1;
  double once = seconds_of(work, 1);
  while (once * times < 0.02 && times < (1 << 20)) {
    times *= 2;
    once = seconds_of(work, times) / times;
  }
  double best = once;
  const auto start = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - start).count() < 1) {
    best = std::min(best, seconds_of(work, times) / times);
  }
  std::printf("%s\t%.4f\n", name, best / parts * 1e6);
  std::fflush(stdout);
}
