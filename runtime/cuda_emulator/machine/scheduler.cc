#include "machine/scheduler.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "machine/watch/own_work.h"

namespace xfer::emulator {
namespace {

// How long work may be put off that is waited for by other means than CUDA's: a host function, or a
// part in what several devices do together.
constexpr auto kPatience = std::chrono::milliseconds(20);
// Between parts of a kernel that waits for the host: others may take the lock.
constexpr auto kLetOthers = std::chrono::microseconds(100);

}  // namespace

Scheduler::Scheduler(Schedule schedule, std::uint64_t seed,
                     std::function<void(const Activity&)> report)
    : schedule_(schedule), random_(seed), report_(std::move(report)) {}

Scheduler::~Scheduler() {
  ending_ = true;
  std::unique_lock<std::mutex> lock(helpers_mutex_);
  helper_left_.wait(lock, [&] { return helpers_ == 0; });
}

void Scheduler::start_helper(std::function<void()> run) {
  {
    const std::lock_guard<std::mutex> lock(helpers_mutex_);
    ++helpers_;
  }
  std::thread([this, run = std::move(run)] {
    run();
    const std::lock_guard<std::mutex> lock(helpers_mutex_);
    --helpers_;
    helper_left_.notify_all();
  }).detach();
}

Stream* Scheduler::add_stream(int device, unsigned flags, int priority, bool legacy) {
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->id = legacy ? 7 : next_stream_id_++;
  stream->flags = flags;
  stream->priority = priority;
  stream->legacy = legacy;
  stream->blocking = (flags & cudaStreamNonBlocking) == 0;
  streams_.push_back(std::move(stream));
  return streams_.back().get();
}

void Scheduler::remove_stream(Stream* stream) {
  std::erase_if(streams_, [&](const auto& entry) { return entry.get() == stream; });
}

bool Scheduler::knows(const Stream* stream) const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto& entry) { return entry.get() == stream; });
}

std::shared_ptr<Stream> Scheduler::shared(const Stream& stream) const {
  return *std::find_if(streams_.begin(), streams_.end(),
                       [&](const auto& entry) { return entry.get() == &stream; });
}

Stream* Scheduler::legacy(int device) const {
  for (const auto& stream : streams_) {
    if (stream->legacy && stream->device == device) return stream.get();
  }
  return nullptr;
}

void Scheduler::submit(Lock& lock, Stream& stream, Op op) {
  mutex_ = lock.mutex();
  const bool others_wait = op.kind == Op::Kind::kHostFunction || op.others_wait;
  op.sequence = next_sequence_++;
  stream.queue.push_back(std::move(op));
  if (stream.queue.size() > kQueueLimit) {
    finish_until(lock, stream, [&] { return stream.queue.size() <= kQueueLimit; });
  }
  switch (schedule_) {
    case Schedule::kEager: run_everything(); break;
    case Schedule::kLazy: break;
    case Schedule::kRandom: step(lock); break;
  }
  // It must run in the end, whatever the program waits for meanwhile.
  if (others_wait && schedule_ != Schedule::kEager &&
      !std::exchange(stream.has_late_helper, true)) {
    start_helper([this, target = shared(stream), mutex = mutex_] {
      std::this_thread::sleep_for(kPatience);
      Lock late(*mutex);
      target->has_late_helper = false;
      if (knows(target.get())) finish(late, *target);
    });
  }
}

bool Scheduler::can_run(const Stream& stream, Stream** blocker) const {
  *blocker = nullptr;
  if (stream.in_host_function) return false;
  const Op& head = stream.queue.front();
  if (head.kind == Op::Kind::kWait && !head.record->done) {
    *blocker = head.record->stream;
    return false;
  }
  if (!stream.blocking) return true;
  for (const auto& other : streams_) {
    if (other.get() == &stream || other->device != stream.device || other->queue.empty()) continue;
    if (!other->blocking || stream.legacy == other->legacy) continue;
    if (other->queue.front().sequence < head.sequence) {
      *blocker = other.get();
      return false;
    }
  }
  return true;
}

Stream* Scheduler::next_towards(Stream* target) const {
  // A blocker was queued before the work that it blocks, so the loop ends.
  while (target != nullptr) {
    Stream* blocker = nullptr;
    if (can_run(*target, &blocker)) return target;
    target = blocker;
  }
  return nullptr;
}

Stream* Scheduler::random_runnable() {
  std::vector<Stream*> runnable;
  for (const auto& stream : streams_) {
    Stream* blocker = nullptr;
    if (!stream->queue.empty() && can_run(*stream, &blocker)) runnable.push_back(stream.get());
  }
  if (runnable.empty()) return nullptr;
  return runnable[random_() % runnable.size()];
}

void Scheduler::step(Lock& lock) {
  mutex_ = lock.mutex();
  if (schedule_ == Schedule::kRandom) {
    for (std::uint64_t steps = random_() % 3; steps > 0; --steps) {
      Stream* const stream = random_runnable();
      if (stream == nullptr) return;
      run_head(*stream);
    }
    return;
  }
  Stream* oldest = nullptr;
  for (const auto& stream : streams_) {
    if (stream->queue.empty()) continue;
    if (oldest == nullptr || stream->queue.front().sequence < oldest->queue.front().sequence) {
      oldest = stream.get();
    }
  }
  if (Stream* const next = next_towards(oldest)) run_head(*next);
}

void Scheduler::run_everything() {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      Stream* blocker = nullptr;
      while (!streams_[i]->queue.empty() && can_run(*streams_[i], &blocker)) {
        if (!run_head(*streams_[i])) break;
        moved = true;
      }
    }
  }
}

bool Scheduler::run_head(Stream& stream, bool patient) {
  if (stream.queue.front().kind == Op::Kind::kHostFunction) {
    run_host_function(stream);
    return true;
  }
  const OwnWork own_work;
  // Taken out first: what runs may look at the queues.
  Op op = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (op.run_part && !op.run_part(patient)) {
    op.begun = true;
    stream.queue.push_front(std::move(op));
    go_on_with_what_has_begun();
    return false;
  }
  if (op.kind == Op::Kind::kRecord) {
    op.record->done = true;
    op.record->stream = nullptr;
  } else if (op.kind == Op::Kind::kWork && op.run) {
    op.run();
  }
  if (op.activity.kind != Activity::Kind::kNone) report_(op.activity);
  return true;
}

void Scheduler::run_host_function(Stream& stream) {
  stream.in_host_function = true;
  const Op& op = stream.queue.front();
  start_helper(
      [this, target = shared(stream), run = op.run, id = op.activity.correlation, mutex = mutex_] {
        {
          const HostFunctionWork in_stream_order(id);
          run();
        }
        Lock lock(*mutex);
        target->in_host_function = false;
        target->queue.pop_front();
        if (schedule_ == Schedule::kEager) run_everything();
        host_function_done_.notify_all();
      });
}

void Scheduler::finish_until(Lock& lock, Stream& towards, const std::function<bool()>& done) {
  mutex_ = lock.mutex();
  while (!done()) {
    Stream* const next =
        schedule_ == Schedule::kRandom ? random_runnable() : next_towards(&towards);
    if (next == nullptr) {
      host_function_done_.wait(lock);
    } else if (!run_head(*next) && !run_beside(*next)) {
      run_head(*next, true);
      host_function_done_.wait_for(lock, kLetOthers);
    }
  }
}

void Scheduler::finish(Lock& lock, Stream& stream) {
  // Only what is queued now: another thread may go on queueing while a host function runs.
  const std::uint64_t last = next_sequence_ - 1;
  finish_until(lock, stream,
               [&] { return stream.queue.empty() || stream.queue.front().sequence > last; });
}

void Scheduler::finish(Lock& lock, const std::shared_ptr<Record>& record) {
  if (record->done) return;
  Stream& stream = *record->stream;
  finish_until(lock, stream, [&] { return record->done; });
}

void Scheduler::finish_device(Lock& lock, int device) {
  // Copied, as are the two below: another thread may destroy streams while this one waits.
  const auto streams = streams_;
  for (const auto& stream : streams) {
    if (stream->device == device) finish(lock, *stream);
  }
}

void Scheduler::finish_all(Lock& lock) {
  const auto streams = streams_;
  for (const auto& stream : streams) finish(lock, *stream);
}

void Scheduler::finish_touching(Lock& lock, const HostRange& range) {
  const auto streams = streams_;
  for (const auto& entry : streams) {
    Stream& stream = *entry;
    std::uint64_t last = 0;
    for (const Op& op : stream.queue) {
      for (const HostRange& touched : op.host_ranges) {
        if (touched.overlaps(range)) last = op.sequence;
      }
    }
    finish_until(lock, stream,
                 [&] { return stream.queue.empty() || stream.queue.front().sequence > last; });
  }
}

std::uint64_t Scheduler::pending() const {
  std::uint64_t count = 0;
  for (const auto& stream : streams_) count += stream->queue.size();
  return count;
}

}  // namespace xfer::emulator
