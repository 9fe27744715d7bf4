#pragma once
// While one lives, pthread_cancel of this thread waits. The program's thread may be cancelled where
// it reads or writes, which tracer and emulator do in the midst of CUDA's calls: unwound there, the
// process would end.

#include <pthread.h>

namespace xfer {

class NoCancel {
 public:
  NoCancel() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancel() { pthread_setcancelstate(before_, nullptr); }
  NoCancel(const NoCancel&) = delete;
  NoCancel& operator=(const NoCancel&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace xfer
