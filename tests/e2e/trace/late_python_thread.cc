// A library that calls Python from a thread of its own, out of code that throws nothing, when it is
// told to.

#include <atomic>
#include <chrono>
#include <thread>

namespace {
std::atomic<bool> is_time{false};
}

extern "C" {

__attribute__((visibility("default"))) void call_late(void (*python)()) {
  std::thread([python]() noexcept {
    while (!is_time) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    python();
  }).detach();
}

__attribute__((visibility("default"))) void call_now() { is_time = true; }
}
