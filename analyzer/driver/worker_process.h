#pragma once
// One worker process and the pipes to it.

#include <chrono>
#include <optional>
#include <string>

namespace xfer::lint {

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts this program again as a worker and sends it `setup`. Throws std::system_error.
  explicit WorkerProcess(const std::string& setup);
  /// Ends it: closes its input, kills it if it is busy.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// False when the process is gone.
  bool send(const std::string& line);
  /// Reads what is there, without waiting. A complete reply, if there is one now.
  std::optional<std::string> receive();
  bool closed() const { return closed_; }
  void kill();
  /// Waits for the end and says how it ended, with the last line that it printed.
  std::string reap();

  int reply_fd() const { return reply_fd_; }
  int output_fd() const { return output_fd_; }

 private:
  void drain_output();

  int pid_ = -1;
  int job_fd_ = -1;
  int reply_fd_ = -1;
  int output_fd_ = -1;
  std::string replies_;
  std::string printed_;
  bool closed_ = false;
};

}  // namespace xfer::lint
