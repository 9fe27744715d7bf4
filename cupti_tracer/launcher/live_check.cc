#include "live_check.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>

#include "report_command.h"
#include "run_program.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kShortestPause = 300ms;
constexpr int kPausePerLook = 10;
constexpr auto kTimeToEnd = 5s;

}  // namespace

LiveCheck::LiveCheck(fs::path traces, const ReportOptions& options)
    : traces_(std::move(traces)), options_(options), thread_([this] { watch(); }) {}

LiveCheck::~LiveCheck() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool LiveCheck::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

bool LiveCheck::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return over_; });
}

std::string LiveCheck::look() const {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(traces_, ignored)) {
    if (entry.path().extension() != ".xft") continue;
    for (const Finding& finding : findings_so_far(entry.path(), options_)) {
      const bool counts = options_.fail_on.empty() ? finding.severity <= Severity::kWarning
                                                   : options_.fail_on.matches(finding);
      if (counts)
        return std::string(info(finding.rule).slug) + " in " + finding.location.file + ":" +
               std::to_string(finding.location.line);
    }
  }
  return {};
}

void LiveCheck::watch() {
  std::chrono::milliseconds pause = kShortestPause;
  while (wait(pause)) {
    const auto begin = std::chrono::steady_clock::now();
    std::string line;
    try {
      line = look();
    } catch (const std::exception&) {  // a trace of which nothing is there yet
    }
    if (!line.empty()) {
      {
        const std::lock_guard lock(mutex_);
        found_ = true;
      }
      std::cerr << "xfertrace: halt_on_error: " << line << "; stopping the program\n";
      signal_program(SIGTERM);
      if (wait(kTimeToEnd)) signal_program(SIGKILL);
      return;
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    pause = std::max(kShortestPause,
                     std::chrono::duration_cast<std::chrono::milliseconds>(took) * kPausePerLook);
  }
}

}  // namespace xfer::launcher
