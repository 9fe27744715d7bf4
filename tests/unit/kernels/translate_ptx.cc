// translate_ptx [--warp] FILE...: translates every kernel of files of PTX, for warps if asked to;
// prints those that cannot be and why, the CPU time that one takes, and how many count on their
// lanes' order. Exit code 1: a file cannot be read.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace {

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Tally {
  std::vector<double> ms;  ///< of kernels that were translated
  std::size_t refused = 0, unread = 0, in_order = 0;
};

void translate(const char* file, bool warp, Tally& tally) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string why = "cannot be read";
  const std::unique_ptr<xfer::kernels::Program> program(
      in ? xfer::kernels::load_program({std::move(text)}, &why) : nullptr);
  if (program == nullptr) {
    std::printf("%s: %s\n", file, why.c_str());
    ++tally.unread;
    return;
  }
  for (const std::string& kernel : program->kernels()) {
    const double begin = cpu_ms();
    if (warp ? program->warp_code(kernel, xfer::kernels::Extra::kNone,
                                  xfer::kernels::WarpShape::kRows, &why) != nullptr
             : program->code(kernel, xfer::kernels::Extra::kNone, &why) != nullptr) {
      tally.ms.push_back(cpu_ms() - begin);
      if (!warp)
        tally.in_order +=
            program->code(kernel, xfer::kernels::Extra::kNone, &why)->counts_on_lane_order;
    } else {
      std::printf("%s: %s: %s\n", file, kernel.c_str(), why.c_str());
      ++tally.refused;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Tally tally;
  const bool warp = argc > 1 && std::string(argv[1]) == "--warp";
  for (int i = warp ? 2 : 1; i < argc; ++i) translate(argv[i], warp, tally);
  std::vector<double>& ms = tally.ms;
  std::sort(ms.begin(), ms.end());
  const auto share = [&](double part) {
    return ms.empty() ? 0.0
                      : ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
  };
  std::printf(
      "%zu kernels translated, %zu refused, %zu count on lanes' order; CPU ms a kernel: "
      "median %.1f, p95 %.1f, most %.1f\n",
      ms.size(), tally.refused, tally.in_order, share(0.5), share(0.95), share(1.0));
  return tally.unread != 0 ? 1 : 0;
}
