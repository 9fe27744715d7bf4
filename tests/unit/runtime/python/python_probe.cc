// python_stack_test.py calls this through ctypes: it returns the stack that PythonStacks sees.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>

#include "xfer/python_stack.h"

namespace {

xfer::PythonStacks& stacks() {
  static auto* const found = [] {
    auto* made = new xfer::PythonStacks;
    made->find();
    return made;
  }();
  return *found;
}

std::atomic<int> meeting{0};

bool wait_for(int stage) {
  for (int i = 0; i < 5000 && meeting.load() != stage; ++i) usleep(1000);
  return meeting.load() == stage;
}

}  // namespace

extern "C" {

/// Of the interpreter: its version, and whether it can be read.
__attribute__((visibility("default"))) int probe_version(char* out, std::size_t size) {
  std::strncpy(out, stacks().version().c_str(), size - 1);
  return stacks().readable() ? 1 : 0;
}

/// A line a frame, innermost first: function, file, line, whether the interpreter was entered for
/// it, whether it was read carefully, hash. Fields end with U+0001. Gives the bytes wanted.
__attribute__((visibility("default"))) std::size_t probe(char* out, std::size_t size,
                                                         std::size_t frames) {
  std::array<xfer::PythonCall, 64> calls;
  const std::size_t count = stacks().capture({calls.data(), std::min(frames, calls.size())});
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const xfer::PythonPlace place = stacks().place(calls[i]);
    for (const std::string& part :
         {place.function, place.file, std::to_string(place.line),
          std::string(calls[i].entered ? "1" : "0"), std::string(calls[i].careful ? "1" : "0"),
          std::to_string(calls[i].what)})
      text += part + '\1';
    text += '\n';
  }
  if (text.size() <= size) std::memcpy(out, text.data(), text.size());
  return text.size();
}

/// Nanoseconds that a capture takes, the mean of many.
__attribute__((visibility("default"))) double probe_cost(int times) {
  std::array<xfer::PythonCall, 32> calls;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) stacks().capture(calls);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
             .count() /
         times;
}

/// Two threads: while the second is in probe_hold(), with Python's lock, the first looks. Gives the
/// frames that it saw; 1 from probe_hold() when that had happened before it gave up.
__attribute__((visibility("default"))) int probe_beside_holder() {
  meeting.store(1);
  if (!wait_for(2)) return -1;
  std::array<xfer::PythonCall, 32> calls;
  const std::size_t count = stacks().capture(calls);
  meeting.store(3);
  return static_cast<int>(count);
}
__attribute__((visibility("default"))) int probe_hold() {
  if (!wait_for(1)) return 0;
  meeting.store(2);
  return wait_for(3) ? 1 : 0;
}

/// Calls back, through native code.
__attribute__((visibility("default"))) void probe_call(void (*function)()) { function(); }
}
