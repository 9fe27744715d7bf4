// xfercheck-report: reads findings that the tools wrote as JSON, merges them, and prints one
// report. A lint finding gets the cost that the tracer measured on its line.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "xfer/rules/report.h"

namespace {

using Json = nlohmann::ordered_json;
using xfer::Report;

struct Arguments {
  std::vector<std::string> files;
  std::string format = "text";
  std::string output;
  std::string root;
};

Report read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in)
    throw std::runtime_error(path + ": cannot be read; give findings written with --format json");
  return xfer::read_json(in, path);
}

/// A report of an older tool has no runs: it gets one that says only which tool it was.
void append_runs(Report& report, Report& more) {
  if (more.runs.empty()) {
    xfer::RunInfo run;
    run.kind = more.tool == "xferlint" ? xfer::RunKind::kLint : xfer::RunKind::kTrace;
    run.tool = more.tool;
    more.runs.push_back(std::move(run));
  }
  for (xfer::RunInfo& run : more.runs) report.runs.push_back(std::move(run));
}

void append_findings(Report& report, Report& more, std::uint64_t runs_before) {
  for (xfer::Finding& finding : more.findings) {
    for (xfer::FirstSeen& seen : finding.first_seen) seen.run += runs_before;
    report.findings.push_back(std::move(finding));
  }
}

/// The stats of several traced programs are those of several processes.
void append_trace(Report& report, Report more) {
  Json& processes = report.stats["processes"];
  if (processes.is_null()) processes = Json::array();
  append_findings(report, more, processes.size());
  const auto several = more.stats.find("processes");
  if (several != more.stats.end() && several->is_array())
    for (const Json& process : *several) processes.push_back(process);
  else if (!more.stats.empty())
    processes.push_back(more.stats);
  append_runs(report, more);
}

void append_lint(Report& report, Report more) {
  append_findings(report, more, 0);
  for (auto& [key, value] : more.stats.items()) report.stats[key] = value;
  append_runs(report, more);
}

/// All lint reports joined, all run reports joined, then the two merged if there are both.
Report read_and_merge(const std::vector<std::string>& files) {
  Report lint;
  lint.tool = "xferlint";
  Report trace;
  trace.tool = "xfertrace";
  std::vector<Report> traces;
  bool any_lint = false;
  for (const std::string& file : files) {
    Report report = read_file(file);
    if (report.tool != "xferlint") {
      traces.push_back(std::move(report));
      continue;
    }
    any_lint = true;
    append_lint(lint, std::move(report));
  }
  if (traces.size() == 1) {
    append_runs(trace, traces.front());
    trace.findings = std::move(traces.front().findings);
    trace.stats = std::move(traces.front().stats);
  } else {
    for (Report& one : traces) append_trace(trace, std::move(one));
  }
  if (traces.empty()) return lint;
  return any_lint ? xfer::merge(lint, trace) : trace;
}

void write(const Report& report, const Arguments& arguments, std::ostream& out) {
  if (arguments.format == "text") {
    xfer::write_text(report, out, {.color = false, .root = arguments.root});
  } else if (arguments.format == "json") {
    xfer::write_json(report, out);
  } else if (arguments.format == "sarif") {
    xfer::write_sarif(report, out, arguments.root);
  } else if (arguments.format == "github") {
    xfer::write_github(report, out);
  } else if (arguments.format == "gitlab") {
    xfer::write_gitlab(report, out);
  } else {
    xfer::write_html(report, out, arguments.root);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Merges findings of xferlint and xfertrace (JSON) into one report.",
               "xfercheck-report");
  app.set_version_flag("--version", "xfercheck-report " XFER_VERSION);
  app.add_option("files", arguments.files, "findings written with --format json")->required();
  app.add_option("--format", arguments.format, "how to print them")
      ->check(CLI::IsMember({"text", "json", "sarif", "github", "gitlab", "html"}))
      ->capture_default_str();
  app.add_option("-o,--output", arguments.output, "write here instead of to standard output");
  app.add_option("--root", arguments.root,
                 "where to look for the sources first; then in the projects of the runs and here");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return 2;
  }
  try {
    const Report report = read_and_merge(arguments.files);
    if (arguments.output.empty()) {
      write(report, arguments, std::cout);
      return 0;
    }
    std::ofstream out(arguments.output);
    write(report, arguments, out);
    out.flush();
    if (!out) throw std::runtime_error(arguments.output + ": cannot be written");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "xfercheck-report: " << error.what() << '\n';
    return 2;
  }
}
