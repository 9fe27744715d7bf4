#include "python_calls.h"

#include <algorithm>

namespace xfer {
namespace {

// Compilers name the parts that they split off it _PyEval_EvalFrameDefault.cold and the like.
constexpr std::string_view kLoop = "_PyEval_EvalFrameDefault";

SymbolFrame frame_of(const TracePythonFrame& call, const std::string& folder,
                     const std::filesystem::path& project_root) {
  SymbolFrame frame;
  frame.python = !call.is_native;
  frame.module = call.module;
  frame.location.function = call.function;
  frame.location.file = call.file;
  frame.location.line = call.line;
  // "<string>" and the like are no files.
  if (!call.file.empty() && call.file[0] != '/' && call.file[0] != '<' && !folder.empty())
    frame.location.file = (std::filesystem::path(folder) / call.file).lexically_normal().string();
  // Operators and annotations have neither a file nor a module.
  const bool is_scope = call.is_native && call.module.empty();
  frame.kind = call.of_library ? FrameKind::kLibrary
               : is_scope      ? FrameKind::kUser
                               : frame_kind(frame, project_root);
  return frame;
}

}  // namespace

PythonCalls::PythonCalls(const Trace& trace, std::uint32_t site,
                         const std::filesystem::path& project_root)
    : calls_(trace.python_stack(site)), project_root_(project_root) {
  if (const auto folder = trace.metadata().find("working_directory");
      folder != trace.metadata().end())
    folder_ = folder->second;
}

bool PythonCalls::take(const std::vector<SymbolFrame>& native, std::vector<SymbolFrame>& stack) {
  const bool is_loop = std::any_of(native.begin(), native.end(), [](const SymbolFrame& frame) {
    return frame.location.function.starts_with(kLoop);
  });
  if (!is_loop || next_ == calls_.size()) return false;
  interpreter_ = native.front().module;
  while (next_ < calls_.size()) {
    const TracePythonFrame& call = calls_[next_++];
    stack.push_back(frame_of(call, folder_, project_root_));
    if (call.entered) break;
  }
  return true;
}

void PythonCalls::take_rest(std::vector<SymbolFrame>& stack) {
  for (; next_ < calls_.size(); ++next_)
    stack.push_back(frame_of(calls_[next_], folder_, project_root_));
  // The loop's callers and callees, in the program that it is part of.
  for (SymbolFrame& frame : stack)
    if (!interpreter_.empty() && !frame.python && frame.module == interpreter_ &&
        frame.location.file.empty())
      frame.kind = FrameKind::kInternal;
}

}  // namespace xfer
