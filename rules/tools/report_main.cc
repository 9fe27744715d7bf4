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

using xfer::Report;

struct Arguments {
  std::vector<std::string> files;
  std::string format = "text";
  std::string output;
  std::string root = ".";
};

Report read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in)
    throw std::runtime_error(path + ": cannot be read; give findings written with --format json");
  return xfer::read_json(in, path);
}

void append(Report& report, Report more) {
  for (xfer::Finding& finding : more.findings) report.findings.push_back(std::move(finding));
  for (auto& [key, value] : more.stats.items()) report.stats[key] = value;
}

/// All lint reports joined, all run reports joined, then the two merged if there are both.
Report read_and_merge(const std::vector<std::string>& files) {
  Report lint;
  lint.tool = "xferlint";
  Report trace;
  trace.tool = "xfertrace";
  bool any_lint = false;
  bool any_trace = false;
  for (const std::string& file : files) {
    Report report = read_file(file);
    const bool is_lint = report.tool == "xferlint";
    (is_lint ? any_lint : any_trace) = true;
    Report& joined = is_lint ? lint : trace;
    append(joined, std::move(report));
  }
  if (!any_trace) return lint;
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
  } else {
    xfer::write_html(report, out, arguments.root);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Merges findings of xferlint and xfertrace (JSON) into one report.",
               "xfercheck-report");
  app.add_option("files", arguments.files, "findings written with --format json")->required();
  app.add_option("--format", arguments.format, "how to print them")
      ->check(CLI::IsMember({"text", "json", "sarif", "github", "html"}))
      ->capture_default_str();
  app.add_option("-o,--output", arguments.output, "write here instead of to standard output");
  app.add_option("--root", arguments.root, "where the sources of relative paths lie")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
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
