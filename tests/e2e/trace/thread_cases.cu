// Threads that end in unusual ways.

#include <pthread.h>
#include <unistd.h>

#include "cases.cuh"

namespace {

void repeated_there() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));  // FIND: repeated_there
    run_scale(b.in, b.out);
    b.bring(b.out);
  }
}

// It is cancelled before CUDA starts, and asks for that when its work is done.
void cancelled() {
  pthread_t thread{};
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        pthread_cancel(pthread_self());
        repeated_there();
        pthread_testcancel();
        return nullptr;
      },
      nullptr);
  void* result = nullptr;
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) std::exit(6);
}

// The main thread ends first; /proc/self is empty from then on.
void main_thread_gone() {
  pthread_t thread{};
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        usleep(50'000);
        repeated_there();
        std::exit(0);
      },
      nullptr);
  pthread_exit(nullptr);
}

const AddCases kAdded({{"cancelled", cancelled}, {"main_thread_gone", main_thread_gone}});

}  // namespace
