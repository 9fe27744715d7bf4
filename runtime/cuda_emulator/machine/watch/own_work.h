#pragma once
// Marks a thread that is at the emulator's own work: what it touches there, no code of the program
// does.

#include <cstdint>

namespace xfer::emulator {

class OwnWork {
 public:
  OwnWork() { ++depth(); }
  ~OwnWork() { --depth(); }
  OwnWork(const OwnWork&) = delete;
  OwnWork& operator=(const OwnWork&) = delete;

  /// Safe in a signal handler.
  static bool is_at_it() { return depth() != 0; }

 private:
  static int& depth();
};

/// Marks a thread that runs a host function of a stream, which is the program's code. Work that was
/// asked for before it and may still be under way is in no order with it: a copy on another stream,
/// say.
class HostFunctionWork {
 public:
  /// `id`: of the call that put it into the stream.
  explicit HostFunctionWork(std::uint64_t id) { current() = id; }
  ~HostFunctionWork() { current() = 0; }
  HostFunctionWork(const HostFunctionWork&) = delete;
  HostFunctionWork& operator=(const HostFunctionWork&) = delete;

  /// 0: none. Safe in a signal handler.
  static std::uint64_t id() { return current(); }

 private:
  static std::uint64_t& current();
};

/// The ids of work that what this thread touches may be too early for: those below. 0: none, it is
/// the emulator's own work.
inline std::uint64_t this_thread_is_early_for() {
  if (OwnWork::is_at_it()) return 0;
  return HostFunctionWork::id() != 0 ? HostFunctionWork::id() : UINT64_MAX;
}

}  // namespace xfer::emulator
