#include "analyzer/driver/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <vector>

#include "analyzer/driver/worker_process.h"

namespace xfer::lint {

class WorkerPool::Impl {
 public:
  Impl(nlohmann::json setup, unsigned workers, unsigned timeout_seconds)
      : setup_(setup.dump()), slots_(workers), timeout_(timeout_seconds) {
    ::signal(SIGPIPE, SIG_IGN);
  }

  void run(const std::function<std::optional<Job>()>& next,
           const std::function<void(const Reply&)>& on_reply) {
    while (true) {
      for (Slot& slot : slots_)
        while (!slot.job) {
          // A job may fail to start because of its process: the slot tries again with another.
          std::optional<Job> job = next();
          if (!job) break;
          start(slot, std::move(*job), on_reply);
        }
      if (busy() == 0) return;
      wait();
      for (Slot& slot : slots_)
        if (slot.job) settle(slot, on_reply);
    }
  }

 private:
  using Clock = WorkerProcess::Clock;

  struct Slot {
    std::unique_ptr<WorkerProcess> process;  ///< null: started with the next job
    std::optional<std::size_t> job;
    Clock::time_point deadline;
  };

  std::size_t busy() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const Slot& slot) { return slot.job.has_value(); }));
  }

  void start(Slot& slot, Job job, const std::function<void(const Reply&)>& on_reply) {
    if (slot.process == nullptr) slot.process = std::make_unique<WorkerProcess>(setup_);
    slot.job = job.id;
    slot.deadline = Clock::now() + timeout_;
    if (!slot.process->send(
            job.request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)))
      fail(slot, on_reply, slot.process->reap());
  }

  /// Until a worker says something or the next deadline.
  void wait() {
    std::vector<pollfd> fds;
    auto deadline = Clock::time_point::max();
    for (const Slot& slot : slots_) {
      if (!slot.job) continue;
      fds.push_back({slot.process->reply_fd(), POLLIN, 0});
      fds.push_back({slot.process->output_fd(), POLLIN, 0});
      deadline = std::min(deadline, slot.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp<long long>(left, 0, 60'000)));
  }

  void settle(Slot& slot, const std::function<void(const Reply&)>& on_reply) {
    if (const auto line = slot.process->receive()) {
      Reply reply{.id = *slot.job};
      reply.answer = nlohmann::json::parse(*line, nullptr, false);
      if (reply.answer.is_discarded()) {
        slot.process->kill();
        fail(slot, on_reply, "sent an answer that cannot be read; " + slot.process->reap());
        return;
      }
      slot.job.reset();
      if (reply.answer.value("last", false)) slot.process.reset();
      on_reply(reply);
    } else if (slot.process->closed()) {
      fail(slot, on_reply, slot.process->reap());
    } else if (Clock::now() >= slot.deadline) {
      slot.process->kill();
      slot.process->reap();
      fail(slot, on_reply, fmt::format("took longer than {} s (--timeout)", timeout_.count()));
    }
  }

  void fail(Slot& slot, const std::function<void(const Reply&)>& on_reply, std::string how) {
    const Reply reply{.id = *slot.job, .answer = {}, .failure = std::move(how)};
    slot.job.reset();
    slot.process.reset();
    on_reply(reply);
  }

  std::string setup_;
  std::vector<Slot> slots_;
  std::chrono::seconds timeout_;
};

WorkerPool::WorkerPool(nlohmann::json setup, unsigned workers, unsigned timeout_seconds)
    : impl_(std::make_unique<Impl>(std::move(setup), workers, timeout_seconds)) {}
WorkerPool::~WorkerPool() = default;

void WorkerPool::run(const std::function<std::optional<Job>()>& next,
                     const std::function<void(const Reply&)>& on_reply) {
  impl_->run(next, on_reply);
}

}  // namespace xfer::lint
