#include "window_command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "report_command.h"
#include "xfer/copy_list.h"

namespace xfer::launcher {
namespace {

const char* way(Direction direction) {
  switch (direction) {
    case Direction::kHostToDevice: return "host to device";
    case Direction::kDeviceToHost: return "device to host";
    case Direction::kWithinDevice: return "within a device";
    case Direction::kBetweenDevices: return "between devices";
    case Direction::kOther: return "of another kind";
  }
  return "";
}

std::string in_full(const Location& place) {
  std::string text = place.file.empty() ? "an unknown place" : place.file;
  if (place.line != 0) text += ":" + std::to_string(place.line);
  return place.function.empty() ? text : text + " in " + place.function;
}

void print_copies(const std::filesystem::path& trace, const Window& window, std::ostream& out) {
  const std::filesystem::path root = project_root_of(std::filesystem::current_path());
  std::uint64_t count = 0;
  std::ostringstream text;
  for (CopiesAt& copies : list_copies(trace, window, root)) {
    count += copies.count;
    text << "  " << way(copies.direction) << ": " << copies.count << " x, "
         << format_bytes(copies.bytes) << ", " << in_full(copies.place) << '\n';
  }
  out << count << '\n' << text.str();
}

void print_host_waits(const std::filesystem::path& trace, const Window& window, std::ostream& out) {
  const std::filesystem::path root = project_root_of(std::filesystem::current_path());
  std::uint64_t count = 0;
  std::ostringstream text;
  for (const WaitsAt& waits : list_host_waits(trace, window, root)) {
    count += waits.count;
    text << "  " << waits.what << ": " << waits.count << " x, " << in_full(waits.place) << '\n';
  }
  out << count << '\n' << text.str();
}

void print_findings(const std::filesystem::path& trace, const WindowOptions& options,
                    std::ostream& out) {
  ReportOptions wanted;
  wanted.suppressions = options.suppressions;
  BuiltReport built = build({trace}, wanted, options.window);
  std::vector<Finding>& findings = built.report.findings;
  std::erase_if(findings,
                [&](const Finding& finding) { return !options.fail_on.matches(finding); });
  out << findings.size() << '\n';
  write_text(built.report, out, {.color = false, .root = built.root, .runs = false});
}

}  // namespace

Window parse_window(const std::string& text) {
  std::array<std::uint64_t, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = true;
  for (std::size_t i = 0; i < numbers.size() && good; ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == numbers.size();
    good = error == std::errc() && (last ? next == end : next != end && *next == ':');
    at = next + 1;
  }
  if (!good || numbers[0] > UINT32_MAX)
    throw std::invalid_argument("--window: '" + text + "' is not THREAD:BEGIN:END");
  return {static_cast<std::uint32_t>(numbers[0]), numbers[1], numbers[2]};
}

void report_window(const std::filesystem::path& trace, const WindowOptions& options,
                   std::ostream& out) {
  switch (options.about) {
    case WindowOptions::About::kCopies: return print_copies(trace, options.window, out);
    case WindowOptions::About::kHostWaits: return print_host_waits(trace, options.window, out);
    case WindowOptions::About::kFindings: return print_findings(trace, options, out);
  }
}

}  // namespace xfer::launcher
