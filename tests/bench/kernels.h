#pragma once
// The work of the kernels' benchmark, on a device (kernels.cu) and as C++ (kernels.cc): sizes,
// inputs and timing.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace bench {

constexpr int kCount = 4 << 20;  // elements of vectors
constexpr int kSide = 512;       // of matrices
constexpr int kPicture = 1024;   // pixels of a side
constexpr int kRows = 1 << 17;   // of the sparse matrix
constexpr int kInRow = 16;       // that are not zero
constexpr int kMostTurns = 256;  // of a pixel

inline std::vector<float> numbers(int count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(i * 7 % 13) * 0.25f;
  return values;
}

inline std::vector<int> columns() {
  std::vector<int> values(static_cast<std::size_t>(kRows) * kInRow);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>((i * 2654435761U >> 8) % kRows);
  return values;
}

/// Prints the name and the milliseconds of the fastest of some runs; the first is not one of them.
template <class Run>
void measure(const char* name, Run run) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRuns = 5;
  run();
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = Clock::now();
    run();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    best = i == 0 ? ms : std::min(best, ms);
  }
  std::printf("%s %.3f\n", name, best);
}

}  // namespace bench
