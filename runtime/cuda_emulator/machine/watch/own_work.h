#pragma once
// Marks a thread that is at the emulator's own work: what it touches there, no code of the program
// does.

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

}  // namespace xfer::emulator
