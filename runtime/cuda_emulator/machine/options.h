#pragma once
// The options of the emulated machine, from the environment:
//   XFERCHECK_EMULATE=N       N devices; unset or 0: none
//   XFERCHECK_OPTIONS=k=v:…   the keys that begin with emulate_; all others belong to other tools

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xfer::emulator {

enum class Schedule {
  kEager,   ///< work runs as soon as it is queued
  kLazy,    ///< work runs when something waits for it, as late as the memory model allows
  kRandom,  ///< work runs at points that a seed decides
};

/// Which version of a kernel runs. A kernel without such a version is skipped.
enum class Execute {
  kPtx,   ///< the program's PTX, else the host version
  kHost,  ///< the host version
  kSkip,  ///< none
};

/// Whether code for whole warps is made of a kernel's PTX.
enum class Warps {
  kAuto,    ///< of kernels that do much
  kAlways,  ///< of all whose lanes can go in step
  kNever,
};

struct Options {
  int devices = 0;
  std::uint64_t memory = 0;  ///< bytes per device; 0: as many as the machine has for it
  Schedule schedule = Schedule::kEager;
  std::uint64_t seed = 1;
  bool peer = true;  ///< devices can access each other
  int capability_major = 9;
  int capability_minor = 0;
  bool capability_is_asked_for = false;
  int capability() const { return capability_major * 10 + capability_minor; }  ///< 90: 9.0
  bool summary = true;  ///< name the kernels that were skipped when the program ends
  std::string report;   ///< a file to write what became of each kernel to; empty: none
  Execute execute = Execute::kPtx;
  bool missing_is_nan = false;  ///< what skipped kernels should have filled reads as NaN, not zero
  bool touches = true;          ///< kernels record what they touch, where a tracer asks for it
  Warps warps = Warps::kAuto;
  unsigned kernel_seconds = 600;  ///< that a kernel may run; 0: any number
  unsigned threads = 1;           ///< of the host, that run the blocks of a kernel
  std::string kernels;            ///< libraries of host versions to load at start, comma-separated
  std::optional<std::string> cache;  ///< where translated code is kept; empty: nowhere
};

inline constexpr int kMaxDevices = 64;
inline constexpr unsigned kMaxThreads = 256;

/// Reads both variables (null: unset). A setting that cannot be understood keeps its default and
/// adds one line to `complaints`.
Options parse_options(const char* emulate, const char* options,
                      std::vector<std::string>* complaints);

/// The keys with their defaults, one a line.
std::string describe_options();

}  // namespace xfer::emulator
