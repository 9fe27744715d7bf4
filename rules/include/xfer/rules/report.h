#pragma once
// A report: the findings of one tool run, and the writers and the reader for it. One set of writers
// serves all producers.

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "xfer/rules/finding.h"
#include "xfer/rules/run_info.h"

namespace xfer {

struct Report {
  std::string tool;  ///< "xferlint", "xfertrace" or "xfercheck" (merged)
  std::vector<Finding> findings;
  nlohmann::ordered_json stats = nlohmann::ordered_json::object();
  std::vector<RunInfo> runs;  ///< that the findings come from
};

/// The folder that a report's paths are relative to: the git work tree that holds `folder`, else
/// `folder`.
std::filesystem::path project_root_of(const std::filesystem::path& folder);

/// Makes paths below `root` relative to it, in every location of the report.
void make_relative(Report& report, const std::filesystem::path& root);

/// Fills every empty fingerprint. Two findings of one rule in the same function on the same source
/// text differ by their order alone, so a fingerprint survives edits elsewhere in the file.
/// Source lines are read below `root`; a file that cannot be read counts as empty lines.
void assign_fingerprints(Report& report, const std::filesystem::path& root);

struct TextOptions {
  bool color = false;
  std::filesystem::path root;  ///< where source excerpts are looked for first
  bool runs = true;            ///< say what was run, and first what went wrong with it
};

/// For terminals: what went wrong with a run, then for each finding file:line:column: severity:
/// message [rule], the source line, notes, cost, stack; at the end what was run.
void write_text(const Report& report, std::ostream& out, const TextOptions& options);

/// The contract "xfercheck-findings/1".
void write_json(const Report& report, std::ostream& out);

/// How a table of many runs tells this one from others.
struct RunLabels {
  std::string run;     ///< the trace's file, or the program
  std::string commit;  ///< of the program; may be empty
};

/// For tables of many runs: one finding a line ("xfercheck-finding/1"), a flat object with the
/// finding's run, host, rank, commit and time. The report is of one run.
void write_jsonl(const Report& report, std::ostream& out, const RunLabels& labels);

/// SARIF 2.1.0 with the catalogue's metadata, as GitHub code scanning takes it. Source lines and
/// the lines of fixes are looked for below `root` first; fixes of files that are not found are
/// given as byte offsets.
void write_sarif(const Report& report, std::ostream& out, const std::filesystem::path& root = {});

/// GitHub workflow commands (::error file=...), most severe first.
void write_github(const Report& report, std::ostream& out);

/// GitLab's code quality report: a JSON list of issues, what went wrong with a run first, then the
/// findings, most severe first.
void write_gitlab(const Report& report, std::ostream& out);

/// One self-contained page. `root` as in TextOptions.
void write_html(const Report& report, std::ostream& out, const std::filesystem::path& root);

/// Reads what write_json wrote. Throws std::runtime_error that names the file's fault.
Report read_json(std::istream& in, const std::string& name);

/// Joins lint and trace reports. A run finding that says of a line what a lint finding says of it
/// (repeated-transfer of a transfer-in-loop, unused-transfer of a discarded-transfer, and so on)
/// becomes that finding's note and adds to its cost; all others are kept as they are. Most severe
/// first, then most costly.
Report merge(const Report& lint, const Report& trace);

/// 1536 -> "1.5 KiB"; 1200000 ns -> "1.2 ms".
std::string format_bytes(std::uint64_t bytes);
std::string format_duration(std::uint64_t nanoseconds);
std::string format_rate(double bytes_per_s);  ///< "8.4 GB/s", as buses are rated

}  // namespace xfer
