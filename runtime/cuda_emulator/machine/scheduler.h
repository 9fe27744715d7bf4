#pragma once
// Decides when queued work runs. One seeded scheduler for all streams of all devices: eager, lazy
// or random. Work runs in the thread that makes it run, with the machine's lock held, so that a
// schedule depends only on the order of the calls and on the seed, and a failure replays. Host
// functions run in a thread of their own, without the lock. A kernel that waits for the host stops
// for it, and goes on at the calls that follow; if none do, in a thread of its own.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "machine/options.h"
#include "machine/stream.h"

namespace xfer::emulator {

using Lock = std::unique_lock<std::mutex>;

class Scheduler {
 public:
  Scheduler(Schedule schedule, std::uint64_t seed, std::function<void(const Activity&)> report);
  /// Waits for the host functions that are running. The machine's lock must not be held.
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  Schedule schedule() const { return schedule_; }

  Stream* add_stream(int device, unsigned flags, int priority, bool legacy);
  /// The stream's queue must be empty.
  void remove_stream(Stream* stream);
  bool knows(const Stream* stream) const;
  /// The device's default stream.
  Stream* legacy(int device) const;
  const std::vector<std::shared_ptr<Stream>>& streams() const { return streams_; }

  void submit(Lock& lock, Stream& stream, Op op);

  void finish(Lock& lock, Stream& stream);
  void finish(Lock& lock, const std::shared_ptr<Record>& record);
  void finish_device(Lock& lock, int device);
  void finish_all(Lock& lock);
  /// Runs what is queued and touches this host memory, with what comes before it.
  void finish_touching(Lock& lock, const HostRange& range);
  /// A program that only asks (cudaStreamQuery) must see progress in the end.
  void step(Lock& lock);

  std::uint64_t pending() const;

 private:
  static constexpr std::size_t kQueueLimit = 1024;  // then queueing work waits, as on a device

  /// Runs it in a thread of its own, without the machine's lock.
  void start_helper(std::function<void()> run);
  std::shared_ptr<Stream> shared(const Stream& stream) const;
  bool can_run(const Stream& stream, Stream** blocker) const;
  /// The stream to run next so that `target` comes nearer to being empty; null: a host function is
  /// running.
  Stream* next_towards(Stream* target) const;
  Stream* random_runnable();
  void run_everything();
  /// False: it needs the host's help and is still there.
  bool run_head(Stream& stream, bool patient = false);
  /// Of all streams but this one, what can run at once. Whether anything did.
  bool run_beside(const Stream& stream);
  /// For programs that wait for a kernel by looking at memory alone.
  void go_on_with_what_has_begun();
  bool run_what_has_begun();
  void run_host_function(Stream& stream);
  void finish_until(Lock& lock, Stream& towards, const std::function<bool()>& done);

  const Schedule schedule_;
  std::mt19937_64 random_;
  std::function<void(const Activity&)> report_;
  std::vector<std::shared_ptr<Stream>> streams_;
  std::uint64_t next_sequence_ = 1;
  std::uint32_t next_stream_id_ = 13;  // as CUPTI numbers them: 7 is the default stream
  std::condition_variable host_function_done_;
  std::mutex* mutex_ = nullptr;  // the machine's, learned from the first lock
  std::mutex helpers_mutex_;
  std::condition_variable helper_left_;
  int helpers_ = 0;
  bool going_on_ = false;  ///< a helper does
  std::atomic<bool> ending_{false};
};

}  // namespace xfer::emulator
