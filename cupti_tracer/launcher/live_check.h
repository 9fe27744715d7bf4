#pragma once
// halt_on_error: looks at the traces while the program runs, and ends it at the first finding.
//
// Cost: one pass over the whole trace at each look, in this process; a tenth of the time at most,
// so that a look comes the later the longer the trace is.

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "command_line.h"

namespace xfer::launcher {

class LiveCheck {
 public:
  /// Looks at what is in `traces`, from now on until this is destroyed. `options`: which findings.
  LiveCheck(std::filesystem::path traces, const ReportOptions& options);
  ~LiveCheck();
  LiveCheck(const LiveCheck&) = delete;
  LiveCheck& operator=(const LiveCheck&) = delete;

  bool found() const;

 private:
  void watch();
  /// A line that names a finding; empty: there is none yet.
  std::string look() const;
  bool wait(std::chrono::milliseconds time);

  const std::filesystem::path traces_;
  const ReportOptions& options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  bool found_ = false;
  std::thread thread_;
};

}  // namespace xfer::launcher
