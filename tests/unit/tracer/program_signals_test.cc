#include "program_signals.h"

#include <gtest/gtest.h>

#include "xfer/handler_stack.h"

extern "C" __attribute__((visibility("hidden"), used)) void program_signals_test_work(
    int signal, siginfo_t* info, void* context, xfer::NextHandler* next);
XFER_HANDLER_STACK(program_signals_test_stack)
XFER_HANDLER(program_signals_test_handler, program_signals_test_stack, program_signals_test_work)

namespace xfer::tracer {
namespace {

int g_ours = 0;
int g_theirs = 0;
int g_by_default = 0;
bool g_blocked = false;

void theirs(int signal) {
  ++g_theirs;
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  g_blocked = sigismember(&mask, signal) == 1;
}

class ProgramSignals : public testing::Test {
 protected:
  ProgramSignals() {
    g_ours = g_theirs = g_by_default = 0;
    make_program_signals_test_stack();
    take_signal(SIGUSR2, program_signals_test_handler);
  }
  ~ProgramSignals() override { restore_default(SIGUSR2); }

  static struct sigaction set(void (*handler)(int), int flags = 0) {
    struct sigaction wanted{};
    struct sigaction before{};
    wanted.sa_handler = handler;
    wanted.sa_flags = flags;
    EXPECT_EQ(program_sigaction(SIGUSR2, &wanted, &before), 0);
    return before;
  }
};

TEST_F(ProgramSignals, WithoutAHandlerOfTheProgramsTheEffectIsTheDefault) {
  raise(SIGUSR2);
  EXPECT_EQ(g_ours, 1);
  EXPECT_EQ(g_by_default, 1);
}

TEST_F(ProgramSignals, AHandlerThatIsSetLaterIsCalledAfterOurs) {
  EXPECT_EQ(set(theirs).sa_handler, SIG_DFL);
  raise(SIGUSR2);
  raise(SIGUSR2);
  EXPECT_EQ(g_ours, 2);
  EXPECT_EQ(g_theirs, 2);
  EXPECT_TRUE(g_blocked);
  EXPECT_EQ(set(SIG_IGN, 0).sa_handler, theirs) << "the program sees what it has set";
  raise(SIGUSR2);
  EXPECT_EQ(g_theirs, 2);
  EXPECT_EQ(g_by_default, 0) << "a signal that was sent can be ignored";
}

TEST_F(ProgramSignals, FlagsHoldAsIfTheKernelHadThem) {
  set(theirs, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
  raise(SIGUSR2);
  EXPECT_FALSE(g_blocked);
  raise(SIGUSR2);
  EXPECT_EQ(g_theirs, 1);
  EXPECT_EQ(g_by_default, 1);
}

TEST_F(ProgramSignals, OneThatWasThereBeforeIsTheProgramsToo) {
  restore_default(SIGUSR2);
  signal(SIGUSR2, theirs);
  take_signal(SIGUSR2, program_signals_test_handler);
  raise(SIGUSR2);
  EXPECT_EQ(g_ours, 1);
  EXPECT_EQ(g_theirs, 1);
}

TEST_F(ProgramSignals, TheHandlerRunsOnTheStackThatTheProgramsAskedFor) {
  char stack[1 << 16];
  stack_t wanted{stack, 0, sizeof(stack)};
  stack_t before{};
  ASSERT_EQ(sigaltstack(&wanted, &before), 0);
  static bool on_it = false;
  const auto look = [](int) {
    stack_t now{};
    on_it = sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_ONSTACK) != 0;
  };
  set(look, SA_ONSTACK);
  raise(SIGUSR2);
  EXPECT_TRUE(on_it);
  set(look);
  raise(SIGUSR2);
  EXPECT_FALSE(on_it);
  sigaltstack(&before, nullptr);
}

TEST_F(ProgramSignals, OtherSignalsGoStraightOn) {
  struct sigaction before{};
  EXPECT_EQ(program_sigaction(SIGUSR1, nullptr, &before), 0);
  EXPECT_EQ(before.sa_handler, SIG_DFL);
  EXPECT_EQ(program_sigaction(-1, nullptr, &before), -1);
  EXPECT_EQ(program_sigaction(1000, nullptr, &before), -1);
}

}  // namespace
}  // namespace xfer::tracer

void program_signals_test_work(int signal, siginfo_t* info, void* context,
                               xfer::NextHandler* next) {
  ++xfer::tracer::g_ours;
  if (!xfer::tracer::program_has_its_way(signal, *info, context, next))
    ++xfer::tracer::g_by_default;
}
