#include "analyzer/driver/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

void write(const Report& report, Format format, std::ostream& out, const TextOptions& text) {
  switch (format) {
    case Format::kText: write_text(report, out, text); break;
    case Format::kJson: write_json(report, out); break;
    case Format::kSarif: write_sarif(report, out, text.root); break;
    case Format::kGithub: write_github(report, out); break;
    case Format::kGitlab: write_gitlab(report, out); break;
    case Format::kHtml: write_html(report, out, text.root); break;
  }
}

}  // namespace

void write_report(const Report& report, const Options& options, const fs::path& root) {
  if (options.output.empty()) {
    const bool color = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    write(report, options.format, std::cout, {.color = color, .root = root});
    if (!std::cout.flush()) throw UsageError("standard output cannot be written");
    return;
  }
  std::ofstream out(options.output, std::ios::binary);
  write(report, options.format, out, {.color = false, .root = root});
  if (!out.flush()) throw UsageError(fmt::format("-o: {} cannot be written", options.output));
}

Report read_profile(const std::string& file) {
  std::ifstream in(file);
  if (!in)
    throw UsageError(fmt::format(
        "--profile: {} cannot be read (xfertrace --format json -o FILE makes one)", file));
  try {
    return read_json(in, file);
  } catch (const std::exception& error) {
    throw UsageError(
        fmt::format("--profile: {} (xfertrace --format json -o FILE makes one)", error.what()));
  }
}

void check_writable(const std::string& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  const bool ok = fs::exists(file) ? !fs::is_directory(file) && ::access(file.c_str(), W_OK) == 0
                                   : ::access(folder.c_str(), W_OK) == 0;
  if (!ok)
    throw UsageError(fmt::format("{} cannot be written: {}", file,
                                 fs::is_directory(file) ? "it is a folder" : std::strerror(errno)));
}

}  // namespace xfer::lint
