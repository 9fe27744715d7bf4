#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "ranking.h"
#include "run_summary.h"
#include "source_cache.h"
#include "text.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

constexpr std::size_t kExcerptWidth = 120;
constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMostFrames = 16;
constexpr std::size_t kMostRuns = 8;

class TextWriter {
 public:
  TextWriter(std::ostream& out, const Report& report, const TextOptions& options)
      : out_(out),
        color_(options.color),
        run_ns_(run_time_ns(report)),
        sources_(source_folders(report, options.root)) {}

  void write(const Finding& finding) {
    headline(finding.location, finding.severity == Severity::kError ? "1;31" : "1;35",
             name(finding.severity), finding.message,
             fmt::format(" [{}]", info(finding.rule).slug));
    const Location* shown = &finding.location;
    for (const Note& note : finding.notes) {
      const bool is_shown =
          same_line(note.location, *shown) || same_line(note.location, finding.location);
      headline(note.location, "1;36", "note", note.message, {}, !is_shown);
      shown = &note.location;
    }
    if (finding.fix && !finding.fix->description.empty())
      out_ << "  " << paint("1", "fix: ") << printable(finding.fix->description) << '\n';
    if (finding.cost) out_ << "  " << describe_occurrence(finding, run_ns_) << '\n';
    if (stack_says_more(finding)) stack(finding.stack);
    out_ << '\n';
  }

  // First, because the findings do not mean what they seem to.
  void write_notices(const std::vector<RunInfo>& runs) {
    std::size_t shown = 0;
    for (const RunInfo& run : runs)
      for (const RunNotice& notice : notices(run)) {
        if (shown++ == kMostRuns) continue;
        out_ << paint("1;33", run.tool + ":") << ' ' << printable(notice.text) << '\n';
        if (!notice.next.empty()) out_ << "  try: " << printable(notice.next) << '\n';
      }
    if (shown > kMostRuns) out_ << "  ... and " << shown - kMostRuns << " more of this kind\n";
    if (shown != 0) out_ << '\n';
  }

  void write_runs(const std::vector<RunInfo>& runs) {
    for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i) {
      out_ << '\n';
      for (const auto& [label, text] : rows(runs[i]))
        out_ << paint("1", fmt::format("{:<13}", label + ":")) << printable(text) << '\n';
    }
    if (runs.size() > kMostRuns)
      out_ << "\n... and " << plural(runs.size() - kMostRuns, "more run") << '\n';
  }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    if (!color_) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }

  static bool same_line(const Location& a, const Location& b) {
    return a.file == b.file && a.line == b.line;
  }

  void headline(const Location& location, std::string_view color, std::string_view kind,
                std::string_view message, const std::string& tail, bool with_source = true) {
    out_ << paint("1", describe(location) + ":") << ' ' << paint(color, std::string(kind) + ":")
         << ' ' << printable(message) << tail << '\n';
    if (with_source) excerpt(location);
  }

  // The source line and a caret below its column. Tabs are expanded, and of a long line only the
  // part around the column is shown.
  void excerpt(const Location& location) {
    const std::string_view source = sources_.line(location.file, location.line);
    if (source.find_first_not_of(" \t") == std::string_view::npos) return;
    const std::size_t column = location.column == 0 ? source.size() + 1 : location.column;
    std::string line;
    std::size_t caret = 0;
    for (std::size_t i = 0; i < source.size();) {
      if (i < column) caret = width(line);
      if (source[i] == '\t') {
        line.append(kTabWidth - width(line) % kTabWidth, ' ');
        ++i;
        continue;
      }
      const std::size_t length = std::max<std::size_t>(utf8_length(source.substr(i)), 1);
      line += printable(source.substr(i, length));
      i += length;
    }
    if (column > source.size()) caret = width(line);
    clip(line, caret);
    const std::string number = std::to_string(location.line);
    out_ << fmt::format(" {:>5} | ", number) << line << '\n';
    if (location.column != 0)
      out_ << fmt::format(" {:>5} | ", "") << std::string(caret, ' ') << paint("1;32", "^") << '\n';
  }

  static void clip(std::string& line, std::size_t& caret) {
    if (width(line) <= kExcerptWidth) return;
    const std::size_t first = caret < kExcerptWidth * 3 / 4 ? 0 : caret - kExcerptWidth / 2;
    std::string part;
    std::size_t column = 0;
    for (std::size_t i = 0; i < line.size() && column < first + kExcerptWidth; ++column) {
      const std::size_t length =
          std::max<std::size_t>(utf8_length(std::string_view(line).substr(i)), 1);
      if (column >= first) part.append(line, i, length);
      i += length;
    }
    if (column < width(line)) part += "...";
    if (first != 0) part = "..." + part;
    caret = caret - first + (first == 0 ? 0 : 3);
    line = part;
  }

  // Innermost first. Neighbours without a source line are folded into one line, and so are the
  // repeats of a recursion; very deep stacks lose their outer end.
  void stack(const std::vector<Location>& frames) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < frames.size();) {
      if (shown == kMostFrames) {
        out_ << fmt::format("    ... {}\n", plural(frames.size() - i, "more frame"));
        return;
      }
      std::size_t next = i + 1;
      if (frames[i].file.empty()) {
        while (next < frames.size() && frames[next].file.empty()) ++next;
        out_ << fmt::format("    #{} {}", i, printable(frames[i].function));
        if (next - i > 1)
          out_ << fmt::format(" (and {} without source)", plural(next - i - 1, "frame"));
      } else {
        while (next < frames.size() && frames[next] == frames[i]) ++next;
        out_ << fmt::format("    #{} {} {}", i, printable(frames[i].function), describe(frames[i]));
        if (next - i > 1) out_ << fmt::format(" ({} times)", next - i);
      }
      out_ << '\n';
      ++shown;
      i = next;
    }
  }

  std::ostream& out_;
  bool color_;
  std::uint64_t run_ns_;
  SourceCache sources_;
};

}  // namespace

void write_text(const Report& report, std::ostream& out, const TextOptions& options) {
  const std::uint64_t run_ns = run_time_ns(report);
  TextWriter writer(out, report, options);
  if (options.runs) writer.write_notices(report.runs);
  for (const Finding& finding : report.findings) writer.write(finding);
  const std::string tool = report.tool.empty() ? "" : report.tool + ": ";
  out << tool << describe_counts(report);
  const Cost total = total_cost(report.findings);
  if (total.count != 0 || total.bytes != 0 || total.host_ns != 0 || total.device_ns != 0)
    out << "; together: " << describe(total, run_ns);
  out << '\n';
  if (const std::string run = describe_run(report); !run.empty()) out << tool << run << '\n';
  if (options.runs) writer.write_runs(report.runs);
}

}  // namespace xfer
