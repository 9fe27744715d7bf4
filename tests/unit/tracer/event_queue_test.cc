#include "event_queue.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace xfer::tracer {
namespace {

Event numbered(std::uint64_t number) {
  Event event;
  event.address = number;
  return event;
}

struct Collected {
  std::vector<std::uint64_t> numbers;
  EventQueue::Sink sink() {
    return [this](const Event& event) { numbers.push_back(event.address); };
  }
};

TEST(EventQueue, CompleteEventsLeaveAtOnce) {
  Collected out;
  EventQueue queue(out.sink());
  queue.append(numbered(1));
  queue.append(numbered(2));
  EXPECT_EQ(out.numbers, (std::vector<std::uint64_t>{1, 2}));
}

TEST(EventQueue, WaitsForWhatIsInIt) {
  Collected out;
  EventQueue queue(out.sink());
  EXPECT_TRUE(queue.wait_until_out(0));
  const auto ticket = queue.reserve(numbered(0));
  EXPECT_FALSE(queue.wait_until_out(2));
  std::thread completes([&] { queue.complete(ticket, numbered(1)); });
  EXPECT_TRUE(queue.wait_until_out(10'000));
  completes.join();
  EXPECT_EQ(out.numbers, std::vector<std::uint64_t>{1});
}

TEST(EventQueue, AnOpenEventHoldsBackThoseBehindIt) {
  Collected out;
  EventQueue queue(out.sink());
  const Event leading[] = {numbered(1), numbered(2)};
  const auto ticket = queue.reserve(leading, numbered(0));
  queue.append(numbered(4));
  const auto later = queue.reserve(numbered(0));
  EXPECT_TRUE(queue.complete(later, numbered(5)));
  EXPECT_EQ(out.numbers, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_TRUE(queue.complete(ticket, numbered(3)));
  EXPECT_EQ(out.numbers, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(queue.complete(ticket, numbered(7)));
}

TEST(EventQueue, AFullRingLetsTheOldestGo) {
  Collected out;
  EventQueue queue(out.sink(), 4);
  const auto first = queue.reserve(numbered(1));
  for (std::uint64_t n = 2; n <= 5; ++n) queue.append(numbered(n));
  EXPECT_EQ(out.numbers, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(queue.complete(first, numbered(6)));
  for (std::uint64_t n = 6; n <= 20; ++n) queue.reserve(numbered(n));
  queue.drain();
  ASSERT_EQ(out.numbers.size(), 20U);
  for (std::uint64_t n = 1; n <= 20; ++n) EXPECT_EQ(out.numbers[n - 1], n);
}

TEST(EventQueue, ASignalHandlerTakesAllToASinkOfItsOwn) {
  Collected out;
  Collected from_signal;
  EventQueue queue(out.sink());
  const auto open = queue.reserve(numbered(1));
  queue.append(numbered(2));
  EXPECT_TRUE(queue.drain_from_signal(from_signal.sink()));
  EXPECT_TRUE(out.numbers.empty());
  EXPECT_EQ(from_signal.numbers, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(queue.complete(open, numbered(1))) << "it has left";
  queue.append(numbered(3));
  EXPECT_EQ(out.numbers, (std::vector<std::uint64_t>{3}));
}

TEST(EventQueue, ManyThreads) {
  Collected out;
  EventQueue queue(out.sink(), 64);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const auto ticket = queue.reserve(numbered(1));
        queue.append(numbered(1));
        queue.complete(ticket, numbered(1));
      }
    });
  for (std::thread& thread : threads) thread.join();
  queue.drain();
  EXPECT_EQ(out.numbers.size(), 8000U);
}

}  // namespace
}  // namespace xfer::tracer
