#pragma once
// Reads a trace file (.xft). A file that was cut off anywhere is readable up to there; a damaged
// block is skipped and stands in the stream as a kDropped event of unknown size (bytes 0). Memory:
// one block and the definitions (strings, modules, stacks), whatever the number of events. Not
// thread-safe.

#include <filesystem>
#include <iosfwd>
#include <memory>

#include "xfer/trace.h"

namespace xfer {

class TraceReader final : public Trace {
 public:
  /// Throw TraceError when there is no such file, it is no trace, or of another version.
  explicit TraceReader(const std::filesystem::path& path);
  TraceReader(std::unique_ptr<std::istream> in, std::string name);
  ~TraceReader() override;

  bool next(Event& event) override;
  bool complete() const override;
  const std::vector<std::string>& problems() const override;
  std::string_view string(std::uint32_t id) const override;
  std::span<const TraceFrame> stack(std::uint32_t id) const override;
  std::vector<TracePythonFrame> python_stack(std::uint32_t id) const override;
  const TraceModule* module(std::uint32_t id) const override;
  const Metadata& metadata() const override;
  std::vector<std::string> command_line() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xfer
