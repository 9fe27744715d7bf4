// Cost of the transfer ledger, guards and budgets: operations that move nothing, and copies of
// one number to an emulated device, each with no scope, under a guard, and under a budget. One line
// each: name, nanoseconds. usage: XFERCHECK_EMULATE=1 ledger

#include <tensorlib/tensorlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace torch = tensorlib;

namespace {

// The best of many short rounds: what disturbs only adds, and to a round of a millisecond often
// nothing.
template <class F>
double nanoseconds(int times, const F& f) {
  double best = 1e300;
  for (int round = 0; round < 200; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / times);
  }
  return best;
}

template <class F>
void measure(const char* name, int times, const F& f) {
  std::printf("%s\t%.1f\n", name, nanoseconds(times, f));
  {
    const torch::NoImplicitTransfers guard;
    std::printf("%s, under a guard\t%.1f\n", name, nanoseconds(times, f));
  }
  const torch::TransferBudget budget(torch::TransferLimit().bytes(uint64_t{1} << 60));
  std::printf("%s, under a budget\t%.1f\n", name, nanoseconds(times, f));
}

}  // namespace

int main() {
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = torch::ones({1}), y = torch::ones({1});
  torch::Tensor sum;
  measure("add", 2000, [&] { sum = x + y; });
  torch::cuda::set_stream_checks(true);
  std::printf("add, streams checked\t%.1f\n", nanoseconds(2000, [&] { sum = x + y; }));
  torch::cuda::set_stream_checks(false);
  if (!torch::cuda::is_available()) {
    std::fprintf(stderr, "ledger: no device; set XFERCHECK_EMULATE=1 to measure copies\n");
    return 0;
  }
  const torch::Device device(torch::kCUDA, 0);
  measure("copy of 4 bytes", 2000, [&] { sum = x.to(device); });
}
