#pragma once
// Memory that a trace's launches leave alone by the kernels' own code: where a program's file holds
// the PTX of a kernel, the kernel does not write a parameter that it never stores through, and a
// kernel that follows no pointers from memory touches its parameters' buffers alone.
//
// Cost: a module's device code is read at its first launch, a kernel's at its own; then a look-up
// per launch and argument. Not thread-safe.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "ptx/reader.h"
#include "ptx_access.h"
#include "xfer/event.h"
#include "xfer/trace.h"

namespace xfer {

class KernelCode {
 public:
  explicit KernelCode(const Trace& trace) : trace_(trace) {}

  /// Takes from a kLaunchArg and a kLaunch what the kernel's code refutes. Other events stay.
  void refine(Event& event);

 private:
  /// One text of a program's device code. The module's names are views into it.
  struct Code {
    explicit Code(std::string read) : text(std::move(read)), module(ptx::read_module(text)) {}
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;

    const std::string text;
    const ptx::Module module;
  };
  using Codes = std::deque<Code>;

  const std::optional<KernelAccess>& access(std::uint32_t name, std::uint32_t site);
  std::optional<KernelAccess> read(std::string_view kernel, std::uint32_t site);
  const Codes& codes(const TraceModule& module);

  const Trace& trace_;
  std::map<std::pair<std::string, std::string>, Codes> modules_;
  std::unordered_map<std::uint64_t, std::optional<KernelAccess>> known_;  // by site and name
};

}  // namespace xfer
