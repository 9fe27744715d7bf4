// Real faults: what is watched, what only lies beside it.

#include "machine/watch/host_watch.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "machine/page.h"
#include "machine/watch/own_work.h"

namespace xfer::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kProgram = UINT64_MAX;

HostWatch* g_watch = nullptr;
std::atomic<std::size_t> g_count{0};
std::array<HostTouch, 64> g_touches;
std::atomic<unsigned> g_faults{0};

void on_fault(int signal, siginfo_t* info, void* context) {
  g_faults.fetch_add(1);
  HostTouch touch;
  switch (g_watch->fault(reinterpret_cast<std::uintptr_t>(info->si_addr), context,
                         this_thread_is_early_for(), &touch)) {
    case HostWatch::Verdict::kNotWatched: std::signal(signal, SIG_DFL); break;
    case HostWatch::Verdict::kGoOn: break;
    case HostWatch::Verdict::kTouched: g_touches[g_count.fetch_add(1) % 64] = touch; break;
  }
}

void on_trap(int signal, siginfo_t*, void* context) {
  if (!g_watch->stepped(context)) std::signal(signal, SIG_DFL);
}

unsigned char next(unsigned char value) { return static_cast<unsigned char>(value + 1); }

class HostWatchTest : public testing::Test {
 protected:
  static constexpr std::size_t kPages = 4;

  void SetUp() override {
    memory_ =
        static_cast<unsigned char*>(mmap(nullptr, kPages * page_bytes(), PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory_, MAP_FAILED);
    g_watch = &watch_;
    g_count = 0;
    g_faults = 0;
    struct sigaction action{};
    action.sa_flags = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, &before_[0]);
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, &before_[1]);
  }
  void TearDown() override {
    watch_.release_all();
    sigaction(SIGSEGV, &before_[0], nullptr);
    sigaction(SIGTRAP, &before_[1], nullptr);
    munmap(memory_, kPages * page_bytes());
  }

  volatile unsigned char& at(std::size_t byte) { return memory_[byte]; }
  void watch(std::uint64_t id, std::size_t begin, std::size_t bytes, bool device_writes,
             std::size_t rows = 1, std::size_t pitch = 0) {
    ASSERT_TRUE(watch_.watch({id, reinterpret_cast<std::uintptr_t>(memory_) + begin, bytes,
                              pitch == 0 ? bytes : pitch, rows, device_writes}));
  }
  /// The touches reported since the last call, by offsets.
  std::vector<std::string> told() {
    std::vector<std::string> text;
    for (std::size_t i = 0; i < g_count; ++i) {
      const HostTouch& touch = g_touches[i];
      const auto from = reinterpret_cast<std::uintptr_t>(memory_);
      text.push_back(std::to_string(touch.id) + ": " + (touch.access.writes ? "w " : "r ") +
                     std::to_string(touch.access.begin - from) + "-" +
                     std::to_string(touch.access.end - from));
    }
    g_count = 0;
    return text;
  }

  HostWatch watch_;
  unsigned char* memory_ = nullptr;
  struct sigaction before_[2]{};
};

TEST_F(HostWatchTest, TellsATouchOfTheBytesOnce) {
  watch(7, 100, 50, true);
  at(149) = 3;
  EXPECT_THAT(told(), ElementsAre("7: w 149-150"));
  at(120) = 4;
  EXPECT_EQ(at(149), 3);
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_EQ(g_faults, 1U);
}

TEST_F(HostWatchTest, ASourceMayBeRead) {
  at(10) = 9;
  watch(7, 0, 64, false);
  EXPECT_EQ(at(10), 9);
  EXPECT_EQ(g_faults, 0U);
  at(11) = 1;
  EXPECT_THAT(told(), ElementsAre("7: w 11-12"));
}

TEST_F(HostWatchTest, NeighboursOnThePageAreNotTold) {
  at(99) = 1;
  watch(7, 100, 50, true);
  for (int i = 0; i < 20; ++i) at(99) = next(at(99));
  at(150) = 5;
  EXPECT_EQ(at(99), 21);
  EXPECT_EQ(at(150), 5);
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_GE(g_faults, 22U) << "the page is closed again each time";
  EXPECT_EQ(at(100), 0);
  EXPECT_THAT(told(), ElementsAre("7: r 100-101"));
}

TEST_F(HostWatchTest, AWideAccessThatBeginsBeside) {
  if (!can_decode()) GTEST_SKIP() << "built without a decoder of instructions";
  watch(7, 100, 50, true);
  std::uint64_t word = 0;
  asm volatile("movq (%1), %0" : "=r"(word) : "r"(memory_ + 96) : "memory");
  EXPECT_THAT(told(), ElementsAre("7: r 100-104"));
  watch(7, 100, 50, true);
  asm volatile("movl (%1), %k0" : "=r"(word) : "r"(memory_ + 150) : "memory");
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(HostWatchTest, ARepeatedInstructionOverNeighboursAndMore) {
  if (!can_decode()) GTEST_SKIP() << "built without a decoder of instructions";
  watch(7, 300, 8, true);
  std::array<unsigned char, 64> from{};
  from.fill(2);
  void* to = memory_ + 200;
  const void* source = from.data();
  std::size_t count = from.size();
  asm volatile("rep movsb" : "+D"(to), "+S"(source), "+c"(count) : : "memory");
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_EQ(at(200), 2);
  EXPECT_EQ(at(263), 2);
  to = memory_ + 270;
  source = from.data();
  count = from.size();
  asm volatile("rep movsb" : "+D"(to), "+S"(source), "+c"(count) : : "memory");
  EXPECT_THAT(told(), ElementsAre("7: w 300-308"));
  EXPECT_EQ(at(333), 2);
}

TEST_F(HostWatchTest, OneInstructionOverTwoPages) {
  const std::size_t page = page_bytes();
  watch(7, page - 100, 10, true);
  watch(8, page + 100, 10, true);
  const std::uint64_t word = 0x0807060504030201;
  asm volatile("movq %0, (%1)" : : "r"(word), "r"(memory_ + page - 4) : "memory");
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_EQ(at(page - 4), 1);
  EXPECT_EQ(at(page + 3), 8);
  at(page - 91) = 1;
  at(page + 100) = 1;
  EXPECT_THAT(told(),
              ElementsAre("7: w " + std::to_string(page - 91) + "-" + std::to_string(page - 90),
                          "8: w " + std::to_string(page + 100) + "-" + std::to_string(page + 101)));
}

TEST_F(HostWatchTest, RowsWithGaps) {
  watch(7, 0, 16, false, /*rows=*/4, /*pitch=*/64);
  at(16) = 1;
  at(63) = 1;
  at(127) = 1;
  EXPECT_THAT(told(), IsEmpty());
  at(64 + 15) = 1;
  EXPECT_THAT(told(), ElementsAre("7: w 79-80"));
}

TEST_F(HostWatchTest, TwoThatShareAPageAreToldByThemselves) {
  watch(7, 0, 16, false);
  watch(8, 64, 16, true);
  at(70) = 1;
  EXPECT_THAT(told(), ElementsAre("8: w 70-71"));
  EXPECT_EQ(at(5), 0) << "and a source may still be read";
  at(5) = 1;
  EXPECT_THAT(told(), ElementsAre("7: w 5-6"));
}

TEST_F(HostWatchTest, WhatIsReleasedIsOpen) {
  watch(7, 0, 16, true);
  watch(8, 64, 16, true);
  watch_.release(std::uint64_t{7});
  at(0) = 1;
  EXPECT_THAT(told(), IsEmpty());
  const auto from = reinterpret_cast<std::uintptr_t>(memory_);
  watch_.release(from, from + page_bytes());
  const unsigned faults = g_faults;
  at(64) = 1;
  EXPECT_EQ(g_faults, faults);
}

TEST_F(HostWatchTest, OwnWorkIsNotToldAndClosedAgain) {
  watch(7, 0, 16, true);
  {
    const OwnWork own_work;
    at(3) = 1;
  }
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_TRUE(watch_.is_open_for_a_while());
  watch_.close_again();
  at(3) = 2;
  EXPECT_THAT(told(), ElementsAre("7: w 3-4"));
}

TEST_F(HostWatchTest, ASystemCallGetsOpenPages) {
  watch(7, 0, 16, true);
  const auto from = reinterpret_cast<std::uintptr_t>(memory_);
  HostTouch touch;
  EXPECT_FALSE(watch_.touched({from + 16, from + 32, false}, kProgram, &touch));
  const unsigned faults = g_faults;
  EXPECT_EQ(at(20), 0);
  EXPECT_EQ(g_faults, faults);
  watch_.close_again();
  EXPECT_TRUE(watch_.touched({from + 8, from + 32, false}, kProgram, &touch));
  EXPECT_EQ(touch.id, 7U);
  EXPECT_EQ(touch.access.begin, from + 8);
  EXPECT_EQ(touch.access.end, from + 16);
}

TEST_F(HostWatchTest, AHostFunctionIsTooEarlyForWhatWasAskedForBeforeIt) {
  watch(7, 0, 16, false);
  watch(9, 16, 16, false);
  const HostFunctionWork work(8);
  at(18) = 1;
  EXPECT_THAT(told(), IsEmpty());
  at(3) = 1;
  EXPECT_THAT(told(), ElementsAre("7: w 3-4"));
}

TEST_F(HostWatchTest, ThreadsThatTouchNeighboursAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 300;
  watch(7, 2000, 16, true);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([this, i] {
      for (int k = 0; k < kTimes; ++k)
        at(static_cast<std::size_t>(i) * 64) = next(at(static_cast<std::size_t>(i) * 64));
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) EXPECT_EQ(at(i * 64), kTimes % 256);
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(HostWatchTest, MemoryIsReleasedWhileOthersTouchNeighbours) {
  std::atomic<bool> over{false};
  std::thread neighbour([&] {
    while (!over) at(0) = next(at(0));
  });
  for (std::uint64_t id = 1; id <= 3000; ++id) {
    watch(id, 2000, 16, true);
    watch_.release(id);
  }
  over = true;
  neighbour.join();
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(HostWatchTest, AFaultThatIsNotTheWatchsIsLeftToOthers) {
  watch(7, 0, 16, true);
  watch_.release(std::uint64_t{7});
  HostTouch touch;
  ucontext_t context{};
  unsigned times = 0;
  while (watch_.fault(reinterpret_cast<std::uintptr_t>(memory_), &context, kProgram, &touch) ==
         HostWatch::Verdict::kGoOn)
    ASSERT_LT(++times, 10'000U);
  EXPECT_GT(times, 2U) << "another thread may have opened the page more than once";
}

TEST_F(HostWatchTest, PagesStayOpenForAWhileWhereFaultsTakeMostOfTheTime) {
  watch(7, 2000, 16, true);
  constexpr int kTimes = 200'000;
  for (int i = 0; i < kTimes; ++i) at(0) = next(at(0));
  EXPECT_LT(g_faults, kTimes / 2U);
  EXPECT_GT(watch_.account().rests, 0U);
  EXPECT_THAT(told(), IsEmpty());
}

}  // namespace
}  // namespace xfer::emulator
