#pragma once
// `xfertrace diff BEFORE AFTER`: what got better, worse and new between two runs.

#include <filesystem>
#include <optional>
#include <string>

namespace xfer::launcher {

struct DiffOptions {
  std::filesystem::path before;  ///< a trace (.xft), or findings as JSON
  std::filesystem::path after;
  std::string format = "text";                  ///< or json, html
  std::optional<std::filesystem::path> output;  ///< none or "-": stdout
};

/// The exit code: 1 when something is new or worse, else 0. Throws std::runtime_error with one
/// line: a file that cannot be read or written.
int diff_reports(const DiffOptions& options);

}  // namespace xfer::launcher
