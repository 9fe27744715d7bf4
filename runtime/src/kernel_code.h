#pragma once
// What a trace's launches are known to leave alone, from the kernels' own code: where a program's
// file holds the PTX of a kernel, a parameter that it never stores through is not written, and one
// that follows no pointers from memory touches its parameters' buffers alone.
//
// Cost: a module's device code is read at its first launch, a kernel's at its own; then a look-up
// per launch and argument. Not thread-safe.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx_access.h"
#include "xfer/event.h"
#include "xfer/trace_reader.h"

namespace xfer {

class KernelCode {
 public:
  explicit KernelCode(const TraceReader& trace) : trace_(trace) {}

  /// Takes from a kLaunchArg and a kLaunch what the kernel's code refutes. Other events stay.
  void refine(Event& event);

 private:
  using Texts = std::vector<std::string>;

  const std::optional<KernelAccess>& access(std::uint32_t name, std::uint32_t site);
  std::optional<KernelAccess> read(std::string_view kernel, std::uint32_t site);
  const Texts& texts(const TraceModule& module);

  const TraceReader& trace_;
  std::map<std::pair<std::string, std::string>, Texts> modules_;
  std::unordered_map<std::uint64_t, std::optional<KernelAccess>> known_;  // by site and name
};

}  // namespace xfer
