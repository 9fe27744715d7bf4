#include "xfer/handler_stack.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <thread>
#include <vector>

#include "small_stack.h"

extern "C" __attribute__((visibility("hidden"), used)) void handler_stack_test_work(
    int signal, siginfo_t* info, void* context, xfer::NextHandler* next);
XFER_HANDLER_STACK(handler_stack_test_stack)
XFER_HANDLER(handler_stack_test_handler, handler_stack_test_stack, handler_stack_test_work)

namespace xfer {
namespace {

using test::SmallStack;

#if defined(XFER_HAVE_HANDLER_STACK)
constexpr std::size_t kRoom = 512;  // beside the kernel's frame
#else
constexpr std::size_t kRoom = 256 << 10;  // the work is done there too
#endif
constexpr int kSignal = SIGUSR1;

struct sigaction g_next;             // the program's handler
std::atomic<bool> g_overlap{false};  // two threads were on the stack at once
void (*g_in_work)() = nullptr;       // what else the work does
sigjmp_buf g_back;
thread_local const void* g_frame = nullptr;  // of the program's handler
thread_local int g_calls = 0;

void note_frame(int) {
  g_frame = __builtin_frame_address(0);
  ++g_calls;
}
void leave_by_jump(int) { siglongjmp(g_back, 1); }

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_mask = all_signals();
  ASSERT_EQ(sigaction(signal, &action, nullptr), 0);
}

class HandlerStackTest : public testing::Test {
 protected:
  void SetUp() override {
    make_handler_stack_test_stack();
    g_next = {};
    g_next.sa_handler = note_frame;
    g_next.sa_flags = SA_ONSTACK;
    g_in_work = nullptr;
    g_calls = 0;
    handle(kSignal, handler_stack_test_handler);
  }
  void TearDown() override { signal(kSignal, SIG_DFL); }
};

// The exit code of a child, or 128 and the signal that ended it.
template <class F>
int child(const F& work) {
  const pid_t process = fork();
  if (process == 0) {
    alarm(20);
    _exit(work());
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_F(HandlerStackTest, AStackThatIsJustLargeEnoughIsLargeEnough) {
  EXPECT_EQ(child([] {
              const SmallStack stack(kRoom);
              raise(kSignal);
              return g_calls == 1 && stack.holds(g_frame) ? 0 : 1;
            }),
            0);
}

TEST_F(HandlerStackTest, TheNextHandlerFindsTheStackAsTheKernelLeftIt) {
#if !defined(XFER_HAVE_HANDLER_STACK)
  GTEST_SKIP() << "the next handler is called, and not jumped to";
#endif
  const SmallStack stack(64 << 10);
  raise(kSignal);
  const void* const after_ours = g_frame;
  sigaction(kSignal, &g_next, nullptr);
  raise(kSignal);
  EXPECT_EQ(after_ours, g_frame);
  EXPECT_EQ(g_calls, 2);
}

TEST_F(HandlerStackTest, TheNextHandlerMayLeaveByAJump) {
  g_next.sa_handler = leave_by_jump;
  const SmallStack stack(kRoom + (16 << 10));
  static int times;
  times = 0;
  while (times < 100) {
    if (sigsetjmp(g_back, 1) != 0) continue;
    ++times;
    raise(kSignal);
    FAIL() << "it came back";
  }
}

TEST_F(HandlerStackTest, ThreadsTakeTurns) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 200;
  g_overlap = false;
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      const SmallStack stack(kRoom);
      for (int n = 0; n < kTimes; ++n) raise(kSignal);
      calls += g_calls;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, kThreads * kTimes);
#if defined(XFER_HAVE_HANDLER_STACK)
  EXPECT_FALSE(g_overlap);
#endif
}

TEST_F(HandlerStackTest, ASignalThatComesMeanwhileWaits) {
  static int order = 0;
  static int other_came = 0;
  static int work_ended = 0;
  order = other_came = work_ended = 0;
  struct sigaction other{};
  other.sa_handler = [](int) { other_came = ++order; };
  other.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &other, nullptr);
  g_in_work = [] {
    raise(SIGUSR2);
    work_ended = ++order;
  };
  {
    const SmallStack stack(kRoom + (64 << 10));  // for two frames
    raise(kSignal);
  }
  signal(SIGUSR2, SIG_DFL);
  EXPECT_EQ(work_ended, 1);
  EXPECT_EQ(other_came, 2);
  EXPECT_EQ(g_calls, 1) << "and the stack was left whole";
}

TEST_F(HandlerStackTest, AThreadThatIsOnItAlreadyStaysThere) {
  // As abort() does it: it raises a signal that it unblocks.
  EXPECT_EQ(child([] {
              const stack_t none = {nullptr, SS_DISABLE, 0};  // AddressSanitizer gives it one
              sigaltstack(&none, nullptr);
              g_in_work = [] {
                g_in_work = nullptr;
                sigset_t one;
                sigemptyset(&one);
                sigaddset(&one, SIGUSR2);
                pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
                raise(SIGUSR2);
              };
              handle(SIGUSR2, handler_stack_test_handler);
              raise(kSignal);
              return g_calls == 2 ? 0 : 1;
            }),
            0);
}

TEST_F(HandlerStackTest, AChildOfForkFindsItFree) {
#if !defined(XFER_HAVE_HANDLER_STACK)
  GTEST_SKIP() << "there is no such stack";
#endif
  static std::atomic<bool> on_it;
  static std::atomic<bool> may_go;
  on_it = may_go = false;
  g_in_work = [] {
    on_it = true;
    while (!may_go) sched_yield();
  };
  std::thread other([] { raise(kSignal); });
  while (!on_it) sched_yield();
  const int result = child([] {
    g_in_work = nullptr;
    raise(kSignal);
    return g_calls == 1 ? 0 : 1;
  });
  may_go = true;
  other.join();
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace xfer

// More than a small stack has.
void handler_stack_test_work(int signal, siginfo_t*, void* context, xfer::NextHandler* next) {
  static std::atomic<int> inside{0};
  if (++inside > 1 && xfer::g_in_work == nullptr) xfer::g_overlap = true;
  volatile char much[64 << 10];
  for (std::size_t i = 0; i < sizeof(much); i += 64) much[i] = 1;
  if (xfer::g_in_work != nullptr) xfer::g_in_work();
  --inside;
  *next = xfer::next_handler(xfer::g_next, signal, context);
}
