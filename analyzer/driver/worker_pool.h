#pragma once
// A pool of worker processes (see worker.h) with a time limit per job. A worker that crashes, hangs
// or answers nonsense is replaced, and its job is answered with what happened.

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace xfer::lint {

struct Job {
  std::size_t id = 0;
  nlohmann::json request;
};

struct Reply {
  std::size_t id = 0;
  nlohmann::json answer = {};
  std::string failure =
      {};  ///< set instead of `answer`: "crashed (SIGSEGV)", "took longer than 300 s"
};

class WorkerPool {
 public:
  WorkerPool(nlohmann::json setup, unsigned workers, unsigned timeout_seconds);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Asks `next` for a job for each worker that is idle, also after every reply; ends when it has
  /// none and no worker is busy. Workers outlive the call. Single-threaded: both functions are
  /// called on this thread.
  void run(const std::function<std::optional<Job>()>& next,
           const std::function<void(const Reply&)>& on_reply);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xfer::lint
