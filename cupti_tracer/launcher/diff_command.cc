#include "diff_command.h"

#include <fstream>
#include <iostream>
#include <stdexcept>

#include "report_command.h"
#include "xfer/rules/diff.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

Report read(const fs::path& file) {
  if (file.extension() == ".xft") return build({file}).report;
  std::ifstream in(file);
  std::error_code ignored;
  if (!in || fs::is_directory(file, ignored))
    throw std::runtime_error(file.string() +
                             ": cannot be read; give a trace (.xft) or findings written with "
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
