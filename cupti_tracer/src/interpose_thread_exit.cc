// Stands in front of the C library's pthread_exit, where the library is preloaded. Python before
// 3.14 ends a thread by it that wants to run Python's code while Python ends. A thread of PyTorch's
// that still puts a backward pass away ends the whole program so, since C++ code that promises not
// to throw lies below. As from 3.14 on, such a thread stays where it is.

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "next_function.h"

namespace {

constinit xfer::tracer::NextFunction<void(void*)> g_pthread_exit("pthread_exit");

/// Private until 3.13.
bool python_ends() {
  for (const char* name : {"Py_IsFinalizing", "_Py_IsFinalizing"})
    if (void* const asks = dlsym(RTLD_DEFAULT, name))
      return reinterpret_cast<int (*)()>(asks)() != 0;
  return false;
}

}  // namespace

extern "C" __attribute__((visibility("default"), noreturn)) void pthread_exit(void* result) {
  while (python_ends()) pause();  // until the process ends
  if (const auto next = g_pthread_exit.get(); next != nullptr) next(result);
  _exit(1);  // there is no C library
}
