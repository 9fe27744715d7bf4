// A listener of the tests' own, preloaded into Python: it counts what it is told to count.
// fake.py calls it.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "xfer/annotate.h"

namespace {

thread_local xfer_counters done{};
int counting = std::getenv("FAKE_COUNTS_NOT") == nullptr;
std::string told;
std::string answer;
long answer_count = 0;

void scope_begin(const char* name) { told += "begin " + std::string(name) + "\n"; }
void scope_end() { told += "end\n"; }
void name(const void* pointer, size_t bytes, const char* name) {
  told += "name " + std::to_string(reinterpret_cast<std::uintptr_t>(pointer)) + " " +
          std::to_string(bytes) + " " + name + "\n";
}

int read_counters(xfer_counters* counters) {
  done.time_ns = 77;
  const size_t size = counters->size;
  std::memcpy(reinterpret_cast<char*>(counters) + sizeof(size_t),
              reinterpret_cast<const char*>(&done) + sizeof(size_t), size - sizeof(size_t));
  return counting;
}

long examine(const char* about, uint64_t since_ns, xfer_take_text take, void* to) {
  told += "examine " + std::string(about) + " since " + std::to_string(since_ns) + "\n";
  const size_t half = answer.size() / 2;  // in two pieces
  take(to, answer.data(), half);
  take(to, answer.data() + half, answer.size() - half);
  return answer_count;
}

// An older library's table ends earlier.
size_t size_of_table() {
  return std::getenv("FAKE_IS_OLD") != nullptr ? offsetof(xfer_listener, examine)
                                               : sizeof(xfer_listener);
}

}  // namespace

extern "C" {

extern const xfer_listener xfer_listener_v1;
const xfer_listener xfer_listener_v1 = {size_of_table(), scope_begin,   scope_end, name,   nullptr,
                                        nullptr,         read_counters, examine,   nullptr};

void fake_do(const char* counter, uint64_t times) {
  const std::string what = counter;
  if (what == "h2d") done.h2d_count += times;
  if (what == "h2d_bytes") done.h2d_bytes += times;
  if (what == "d2h") done.d2h_count += times;
  if (what == "d2h_bytes") done.d2h_bytes += times;
  if (what == "d2d") done.d2d_count += times;
  if (what == "p2p") done.p2p_count += times;
  if (what == "launches") done.launches += times;
  if (what == "syncs") done.syncs += times;
  if (what == "allocations") done.allocations += times;
  if (what == "host_waits") done.host_waits += times;
}
void fake_count(int on) { counting = on; }
void fake_answer(long count, const char* text) {
  answer_count = count;
  answer = text;
}
// The lines that the listener was told since the last call.
const char* fake_told() {
  static std::string last;
  last.swap(told);
  told.clear();
  return last.c_str();
}

}  // extern "C"
