#pragma once
// xfertrace's command line, read and checked. The program and its arguments are taken as they
// stand: options end at the first word that is none, or at "--".

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "diff_command.h"
#include "fail_on.h"
#include "xfer/rules/suppressions.h"
#include "xfer/window.h"

namespace xfer::launcher {

enum class Format { kText, kJson, kSarif, kGithub, kGitlab, kHtml, kPerfetto, kJsonl };

struct ReportOptions {
  Format format = Format::kText;
  std::optional<std::filesystem::path>
      output;           ///< none: the default place of the mode; "-": stdout
  bool append = false;  ///< to `output`: a log
  FailOn fail_on;
  Suppressions suppressions;
  std::filesystem::path debug_folder;  ///< of separate debug files; may be empty
  std::optional<int> error_exitcode;
  bool judge_modelled_times = false;
  std::string commit;  ///< of the program, for Format::kJsonl; empty: git's, of the project
};

/// See window_command.h.
struct WindowOptions {
  Window window;
  enum class About { kFindings, kCopies, kHostWaits };
  About about = About::kFindings;  ///< that fail_on names
  FailOn fail_on;
  Suppressions suppressions;
};

struct CommandLine {
  enum class Mode { kRun, kReport, kWindow, kDiff };
  Mode mode = Mode::kRun;
  ReportOptions report;
  WindowOptions window;
  DiffOptions diff;
  std::optional<unsigned> emulate;              ///< number of emulated devices
  std::optional<std::filesystem::path> record;  ///< where the trace is kept
  std::vector<std::string> program;             ///< and its arguments
  std::vector<std::filesystem::path> traces;    ///< of `xfertrace report`; one of a window
};

/// One line that says what is wrong with the command line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing more to do than to print this: --help, --version.
struct Information {
  std::string text;
};

/// Throws UsageError or Information.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace xfer::launcher
