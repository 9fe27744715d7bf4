// Any text as what a person writes: options, suppressions, a --fail-on spec, a path template. It is
// understood or refused, by lines that can be printed.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fail_on.h"
#include "xfer/options.h"
#include "xfer/rules/suppressions.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

bool is_one_line(std::string_view text) {
  return !text.empty() && text.find('\n') == std::string_view::npos;
}

void options(std::string_view text) {
  xfer::TracerOptions read;
  for (const std::string& problem : xfer::parse_options(text, read)) must(is_one_line(problem));
  // Options that were read can be written and read again.
  xfer::TracerOptions again;
  const std::string written = xfer::format_options(read);
  must(xfer::parse_options(written, again).empty());
  must(xfer::format_options(again) == written);
}

void suppressions(std::string_view text) {
  try {
    const auto rows = xfer::Suppressions::parse(text, "input");
    rows.match(xfer::Rule::kRoundTrip, {text.substr(0, 40), "load_weights(float*)", "src/a.cc"});
  } catch (const std::runtime_error& error) {
    must(is_one_line(error.what()));
  }
}

void fail_on(std::string_view text) {
  try {
    const auto spec = xfer::launcher::FailOn::parse(text);
    xfer::Report report;
    report.stats["scopes"]["step"]["most"]["h2d_bytes"] = 5;
    for (const std::string& line : spec.exceeded(report)) must(is_one_line(line));
  } catch (const std::invalid_argument& error) {
    must(is_one_line(error.what()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  options(text);
  suppressions(text);
  fail_on(text);
  if (text.size() < 256) xfer::expand_path(text);
  return 0;
}
