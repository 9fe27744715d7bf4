#include "missing_lines.h"

#include <filesystem>

namespace xfer {
namespace {

std::string short_name(const std::string& module) {
  return std::filesystem::path(module).filename().string();
}

}  // namespace

void MissingLines::look_at(const SymbolFrame* place, Finding& finding) {
  // A system's library is without debug information as a rule, and nobody rebuilds it.
  if (place == nullptr || place->python || place->module.empty() ||
      place->kind != FrameKind::kUser || place->location.line != 0)
    return;
  const std::string name = short_name(place->module);
  ++findings_[place->module];
  if (finding.location.file.empty() && finding.location.function.empty())
    finding.location.function = "(a function of " + name + ")";
  finding.notes.push_back({finding.location, "in " + name + ", which has no line numbers"});
}

std::vector<std::string> MissingLines::problems() const {
  std::vector<std::string> lines;
  for (const auto& [module, count] : findings_)
    lines.push_back(std::to_string(count) + (count == 1 ? " finding names" : " findings name") +
                    " a function but no line: " + module +
                    " was built without -g there (nvcc: -g for host code, -lineinfo for kernels)");
  return lines;
}

}  // namespace xfer
