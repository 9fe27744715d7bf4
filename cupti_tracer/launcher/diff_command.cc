#include "diff_command.h"

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "report_command.h"
#include "xfer/rules/diff.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

/// Any kind of trace, and no report: torch.profiler's are JSON, too.
bool is_trace(const fs::path& file) {
  if (file.extension() == ".xft") return true;
  std::string head(std::size_t{64} << 10, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head.starts_with("\x1f\x8b") || head.starts_with("SQLite format 3") ||
         head.find("\"traceEvents\"") != std::string::npos;
}

Report read(const fs::path& file) {
  if (is_trace(file)) return build({file}).report;
  std::ifstream in(file);
  std::error_code ignored;
  if (!in || fs::is_directory(file, ignored))
    throw std::runtime_error(file.string() +
                             ": cannot be read; give a trace or findings written with "
                             "--format json");
  return read_json(in, file.string());
}

}  // namespace

int diff_reports(const DiffOptions& options) {
  const ReportDiff changes = diff(read(options.before), read(options.after));
  std::ofstream file;
  const bool to_file = options.output && *options.output != "-";
  if (to_file) {
    check_output(*options.output, "-o");
    file.open(*options.output);
  }
  std::ostream& out = to_file ? file : std::cout;
  if (options.format == "html")
    write_html(changes, out, project_root_of(fs::current_path()));
  else if (options.format == "json")
    write_json(changes, out);
  else
    write_text(changes, out);
  out.flush();
  if (!out) throw std::runtime_error("the comparison cannot be written");
  return changes.is_worse() ? 1 : 0;
}

}  // namespace xfer::launcher
