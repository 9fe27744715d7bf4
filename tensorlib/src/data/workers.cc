#include "tensorlib/data/workers.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace tensorlib::data {

namespace {

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "(not a std::exception)";
  }
}

}  // namespace

WorkerException::WorkerException(std::exception_ptr original)
    : std::runtime_error("Caught exception in DataLoader worker thread. Original message: " +
                         message_of(original)),
      original_exception(std::move(original)) {}
WorkerException::~WorkerException() = default;

namespace detail {

struct Workers::State {
  struct Job {
    uint64_t number;
    Request request;
  };
  struct Done {
    Result result;
    std::exception_ptr error;
  };

  void run(size_t worker) {
    std::unique_lock lock(mutex);
    while (true) {
      has_job.wait(lock, [&] { return stopping || !jobs.empty(); });
      if (stopping) return;
      Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      Done finished;
      try {
        finished.result = work(worker, std::move(job.request));
      } catch (...) {
        finished.error = std::current_exception();
      }
      lock.lock();
      // A job from before drop_all() is nobody's any more.
      if (job.number >= first_wanted) {
        done.emplace(job.number, std::move(finished));
        has_result.notify_all();
      }
    }
  }

  Work work;
  mutable std::mutex mutex;
  std::condition_variable has_job, has_result;
  std::deque<Job> jobs;
  std::map<uint64_t, Done> done;
  uint64_t next_number = 0;   // of the next job pushed
  uint64_t next_popped = 0;   // in order
  uint64_t first_wanted = 0;  // after drop_all()
  size_t pending = 0;
  bool stopping = false;
  std::vector<std::thread> threads;
};

Workers::Workers(size_t count, Work work) : state_(std::make_unique<State>()) {
  state_->work = std::move(work);
  for (size_t i = 0; i < count; ++i) {
    state_->threads.emplace_back([this, i] { state_->run(i); });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->has_job.notify_all();
  }
  for (std::thread& thread : state_->threads) thread.join();
}

void Workers::push(Request request) {
  const std::lock_guard lock(state_->mutex);
  state_->jobs.push_back({state_->next_number++, std::move(request)});
  ++state_->pending;
  state_->has_job.notify_one();
}

Workers::Result Workers::pop(bool ordered, std::optional<std::chrono::milliseconds> timeout) {
  std::unique_lock lock(state_->mutex);
  auto& done = state_->done;
  const auto is_ready = [&] {
    return !done.empty() && (!ordered || done.begin()->first == state_->next_popped);
  };
  if (!timeout) {
    state_->has_result.wait(lock, is_ready);
  } else if (!state_->has_result.wait_for(lock, *timeout, is_ready)) {
    throw std::runtime_error("DataLoader: timeout of " + std::to_string(timeout->count()) +
                             " ms, and no batch is ready");
  }
  State::Done finished = std::move(done.begin()->second);
  state_->next_popped = done.begin()->first + 1;
  done.erase(done.begin());
  --state_->pending;
  if (finished.error) {
    try {
      std::rethrow_exception(finished.error);
    } catch (const WorkerException&) {  // of a stage before this one
      throw;
    } catch (...) {
      throw WorkerException(std::current_exception());
    }
  }
  return finished.result;
}

size_t Workers::pending() const {
  const std::lock_guard lock(state_->mutex);
  return state_->pending;
}

void Workers::drop_all() {
  const std::lock_guard lock(state_->mutex);
  state_->jobs.clear();
  state_->done.clear();
  state_->pending = 0;
  state_->first_wanted = state_->next_popped = state_->next_number;
}

}  // namespace detail

}  // namespace tensorlib::data
