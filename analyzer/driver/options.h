#pragma once
// The command line of xferlint.

#include <optional>
#include <string>
#include <vector>

#include "xfer/rules/rule.h"

namespace xfer::lint {

enum class Format { kText, kJson, kSarif, kGithub, kGitlab, kHtml };

struct Options {
  std::vector<std::string> command;                        ///< as it was given
  std::string build_dir;                                   ///< -p; empty: looked for
  std::vector<std::string> files;                          ///< paths or regular expressions
  std::optional<std::vector<std::string>> compiler_flags;  ///< what follows --, if there is a --
  unsigned jobs = 0;                                       ///< 0: by cores and free memory
  std::string checks;
  Format format = Format::kText;
  std::string output;
  bool fix = false;
  std::string baseline;
  std::string write_baseline;
  std::string diff_only;  ///< a git revision, or - for a patch on standard input
  std::vector<std::string> models;
  std::string emit_facts;
  std::string depfile;         ///< for what --emit-facts writes
  std::string depfile_target;  ///< what it names; empty: the facts
  bool as_compiler = false;    ///< `compiler_flags` are a whole compile command
  bool merge = false;          ///< the `files` are facts, or folders of them
  Severity fail_on = Severity::kWarning;
  std::string profile;
  bool list_checks = false;
  std::string explain;
  bool explain_unknown = false;
  bool stats = false;
  bool check_models = false;
  bool precompiled_headers = true;
  bool stored_facts = true;
  unsigned timeout_seconds = 300;
  std::string root;
  std::string exclude;
  std::string cuda_path;
};

/// A parsed command line: options, or an answer that is ready (help, version, an error).
struct CommandLine {
  Options options;
  std::optional<int> exit_code;
};

/// Prints help, version and errors itself.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace xfer::lint
