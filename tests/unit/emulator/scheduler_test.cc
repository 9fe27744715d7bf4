#include "machine/scheduler.h"

#include <driver_types.h>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace xfer::emulator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

/// A scheduler whose work notes its name when it runs.
class Bench {
 public:
  explicit Bench(Schedule schedule, std::uint64_t seed = 1)
      : scheduler(schedule, seed, [](const Activity&) {}), lock(mutex) {
    legacy = scheduler.add_stream(0, cudaStreamDefault, 0, true);
  }

  Stream* stream(unsigned flags = cudaStreamDefault) {
    return scheduler.add_stream(0, flags, 0, false);
  }
  void work(Stream* on, const std::string& name, std::vector<HostRange> ranges = {}) {
    Op op;
    op.run = [this, name] { ran.push_back(name); };
    op.host_ranges = std::move(ranges);
    scheduler.submit(lock, *on, std::move(op));
  }
  /// Is over when `flag` is set; notes each try.
  void work_until(Stream* on, const std::string& name, const std::atomic<bool>& flag) {
    Op op;
    op.run_part = [this, name, &flag](bool) {
      ran.push_back(name);
      return flag.load();
    };
    scheduler.submit(lock, *on, std::move(op));
  }
  std::shared_ptr<Record> record(Stream* on) {
    Op op;
    op.kind = Op::Kind::kRecord;
    op.record = std::make_shared<Record>();
    op.record->stream = on;
    auto mark = op.record;
    scheduler.submit(lock, *on, std::move(op));
    return mark;
  }
  void wait(Stream* on, const std::shared_ptr<Record>& mark) {
    Op op;
    op.kind = Op::Kind::kWait;
    op.record = mark;
    scheduler.submit(lock, *on, std::move(op));
  }

  std::mutex mutex;
  std::vector<std::string> ran;
  Scheduler scheduler;
  Lock lock;
  Stream* legacy;
};

TEST(Scheduler, EagerRunsWorkAsItIsQueued) {
  Bench bench(Schedule::kEager);
  Stream* const a = bench.stream();
  bench.work(a, "1");
  EXPECT_THAT(bench.ran, ElementsAre("1"));
}

TEST(Scheduler, WorkThatWaitsForTheHostLetsItGoOn) {
  Bench bench(Schedule::kEager);
  Stream* const a = bench.stream();
  Stream* const b = bench.stream();
  std::atomic<bool> flag = false;
  bench.work_until(a, "waits", flag);
  bench.work(a, "behind");
  bench.work(b, "beside");
  EXPECT_THAT(bench.ran, Contains("beside"));
  EXPECT_THAT(bench.ran, Not(Contains("behind")));
  flag = true;
  bench.scheduler.finish(bench.lock, *a);
  EXPECT_EQ(bench.ran.back(), "behind");
  EXPECT_EQ(bench.scheduler.pending(), 0U);
}

TEST(Scheduler, WorkThatWaitsForOtherStreamsBringsThemIn) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  Stream* const b = bench.stream();
  std::atomic<bool> flag = false;
  bench.work_until(a, "waits", flag);
  Op op;
  op.run = [&] { flag = true; };
  bench.scheduler.submit(bench.lock, *b, std::move(op));
  bench.scheduler.finish(bench.lock, *a);
  EXPECT_THAT(bench.ran, ElementsAre("waits", "waits"));
}

TEST(Scheduler, WorkThatHasBegunGoesOnWithoutACall) {
  Bench bench(Schedule::kEager);
  Stream* const a = bench.stream();
  std::atomic<bool> flag = false;
  std::atomic<bool> over = false;
  bench.work_until(a, "waits", flag);
  Op op;
  op.run = [&] { over = true; };
  bench.scheduler.submit(bench.lock, *a, std::move(op));
  bench.lock.unlock();
  flag = true;
  while (!over) std::this_thread::yield();
  bench.lock.lock();
}

TEST(Scheduler, WorkThatNeverEndsIsNoReasonToStay) {
  std::atomic<bool> flag = false;
  Bench bench(Schedule::kEager);
  bench.work_until(bench.stream(), "waits", flag);
  bench.lock.unlock();
}

TEST(Scheduler, LazyRunsNothingUntilSomethingWaits) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  Stream* const b = bench.stream();
  bench.work(a, "a1");
  bench.work(b, "b1");
  bench.work(a, "a2");
  EXPECT_THAT(bench.ran, IsEmpty());
  bench.scheduler.finish(bench.lock, *a);
  EXPECT_THAT(bench.ran, ElementsAre("a1", "a2"));
  bench.scheduler.finish_device(bench.lock, 0);
  EXPECT_THAT(bench.ran, ElementsAre("a1", "a2", "b1"));
}

TEST(Scheduler, AnEventBringsInTheWorkBeforeItAndNoMore) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  Stream* const b = bench.stream();
  bench.work(a, "a1");
  const auto mark = bench.record(a);
  bench.work(a, "a2");
  bench.wait(b, mark);
  bench.work(b, "b1");
  bench.scheduler.finish(bench.lock, *b);
  EXPECT_THAT(bench.ran, ElementsAre("a1", "b1"));
  EXPECT_TRUE(mark->done);
}

TEST(Scheduler, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  Stream* const free = bench.stream(cudaStreamNonBlocking);
  bench.work(a, "a1");
  bench.work(free, "free");
  bench.work(bench.legacy, "legacy");
  bench.work(a, "a2");
  bench.scheduler.finish(bench.lock, *a);
  EXPECT_THAT(bench.ran, ElementsAre("a1", "legacy", "a2"));
}

TEST(Scheduler, LegacyStreamsOfOtherDevicesAreNobodysBusiness) {
  Bench bench(Schedule::kLazy);
  Stream* const other = bench.scheduler.add_stream(1, cudaStreamDefault, 0, true);
  bench.work(other, "other");
  bench.work(bench.legacy, "legacy");
  bench.scheduler.finish(bench.lock, *bench.legacy);
  EXPECT_THAT(bench.ran, ElementsAre("legacy"));
}

TEST(Scheduler, HostMemoryInUseBringsInItsUsers) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  bench.work(a, "before");
  bench.work(a, "reads", {{100, 200}});
  bench.work(a, "after");
  bench.scheduler.finish_touching(bench.lock, {200, 300});
  EXPECT_THAT(bench.ran, IsEmpty());
  bench.scheduler.finish_touching(bench.lock, {199, 300});
  EXPECT_THAT(bench.ran, ElementsAre("before", "reads"));
}

TEST(Scheduler, OnlyAskingMakesProgressInTheEnd) {
  for (const Schedule schedule : {Schedule::kLazy, Schedule::kRandom}) {
    Bench bench(schedule);
    Stream* const a = bench.stream();
    bench.work(a, "1");
    for (int i = 0; i < 100; ++i) bench.scheduler.step(bench.lock);
    EXPECT_THAT(bench.ran, ElementsAre("1"));
  }
}

TEST(Scheduler, AQueueIsNotEndless) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  for (int i = 0; i < 3000; ++i) bench.work(a, "x");
  EXPECT_LE(a->queue.size(), 1024u);
  EXPECT_GE(bench.ran.size(), 3000u - 1024u);
}

std::vector<std::string> random_run(std::uint64_t seed) {
  Bench bench(Schedule::kRandom, seed);
  Stream* const streams[] = {bench.stream(), bench.stream(), bench.stream(cudaStreamNonBlocking)};
  for (int i = 0; i < 20; ++i) {
    bench.work(streams[i % 3], std::to_string(i % 3) + ":" + std::to_string(i));
  }
  bench.scheduler.finish_all(bench.lock);
  return bench.ran;
}

TEST(Scheduler, ASeedReplaysAndAnotherDiffers) {
  EXPECT_EQ(random_run(5), random_run(5));
  bool differs = false;
  for (std::uint64_t seed = 6; seed < 16 && !differs; ++seed)
    differs = random_run(seed) != random_run(5);
  EXPECT_TRUE(differs);
}

TEST(Scheduler, RandomKeepsTheOrderWithinAStream) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    int last[3] = {-1, -1, -1};
    for (const std::string& name : random_run(seed)) {
      const int stream = name[0] - '0';
      const int index = std::stoi(name.substr(2));
      EXPECT_GT(index, last[stream]);
      last[stream] = index;
    }
  }
}

TEST(Scheduler, HostFunctionsRunWithoutTheLockAndHoldTheirStream) {
  for (const Schedule schedule : {Schedule::kEager, Schedule::kLazy}) {
    Bench bench(schedule);
    Stream* const a = bench.stream();
    std::atomic<bool> had_lock{false};
    Op op;
    op.kind = Op::Kind::kHostFunction;
    op.run = [&] {
      const std::lock_guard lock(bench.mutex);  // would never be had if the scheduler kept it
      had_lock = true;
      bench.ran.push_back("host");
    };
    bench.scheduler.submit(bench.lock, *a, std::move(op));
    bench.work(a, "after");
    bench.scheduler.finish(bench.lock, *a);
    EXPECT_TRUE(had_lock);
    EXPECT_THAT(bench.ran, ElementsAre("host", "after"));
    if (schedule ==
        Schedule::kLazy) {  // the thread that guards against waiting for ever is still there
      bench.lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      bench.lock.lock();
    }
  }
}

TEST(Scheduler, ALazyHostFunctionRunsEvenIfNobodyWaitsThroughCuda) {
  Bench bench(Schedule::kLazy);
  Stream* const a = bench.stream();
  std::atomic<bool> ran{false};
  Op op;
  op.kind = Op::Kind::kHostFunction;
  op.run = [&] { ran = true; };
  bench.scheduler.submit(bench.lock, *a, std::move(op));
  bench.lock.unlock();
  for (int i = 0; i < 500 && !ran; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  bench.lock.lock();
  EXPECT_TRUE(ran);
  bench.scheduler.finish(bench.lock, *a);
}

}  // namespace
}  // namespace xfer::emulator
