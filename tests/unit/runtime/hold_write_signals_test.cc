#include "xfer/hold_write_signals.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xfer {
namespace {

// The exit code of a child, or 128 and the signal that ended it.
template <class F>
int child(const F& work) {
  const pid_t process = fork();
  if (process == 0) _exit(work());
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int errno_of_write_that_nobody_reads() {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  close(ends[0]);
  const int error = write(ends[1], "x", 1) < 0 ? errno : 0;
  close(ends[1]);
  return error;
}

TEST(HoldWriteSignals, AWriteFailsWithAnErrorAndNoSignal) {
  EXPECT_EQ(child([] {
              const HoldWriteSignals held;
              return errno_of_write_that_nobody_reads();
            }),
            EPIPE);
  EXPECT_EQ(child([] {
              const rlimit none{0, 0};
              setrlimit(RLIMIT_FSIZE, &none);
              const int file = open("/tmp", O_TMPFILE | O_WRONLY, 0600);
              if (file < 0) return EFBIG;  // a file system without such files
              const HoldWriteSignals held;
              return write(file, "x", 1) < 0 ? errno : 0;
            }),
            EFBIG);
}

TEST(HoldWriteSignals, TheProgramsOwnWritesRaiseTheirs) {
  EXPECT_EQ(child([] {
              {
                const HoldWriteSignals held;
                errno_of_write_that_nobody_reads();
              }
              return errno_of_write_that_nobody_reads();
            }),
            128 + SIGPIPE);
}

TEST(HoldWriteSignals, ASignalThatWaitedBeforeStillComes) {
  EXPECT_EQ(child([] {
              sigset_t one;
              sigemptyset(&one);
              sigaddset(&one, SIGPIPE);
              pthread_sigmask(SIG_BLOCK, &one, nullptr);
              raise(SIGPIPE);
              {
                const HoldWriteSignals held;
                errno_of_write_that_nobody_reads();
              }
              pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
              return 0;
            }),
            128 + SIGPIPE);
}

}  // namespace
}  // namespace xfer
