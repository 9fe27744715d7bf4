#include "program_signals.h"

#include <gtest/gtest.h>

namespace xfer::tracer {
namespace {

int g_ours = 0;
int g_theirs = 0;
int g_by_default = 0;
bool g_blocked = false;

void ours(int signal, siginfo_t* info, void* context) {
  ++g_ours;
  if (!call_program(signal, info, context)) ++g_by_default;
}
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
    take_signal(SIGUSR2, ours);
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
  take_signal(SIGUSR2, ours);
  raise(SIGUSR2);
  EXPECT_EQ(g_ours, 1);
  EXPECT_EQ(g_theirs, 1);
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
