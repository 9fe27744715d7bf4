#pragma once
// The Python calls of the current thread, whether or not it holds Python's lock (the GIL), which is
// never asked for: a thread's frames are changed by the thread alone, and while it stays in a call
// of native code they, their code objects and the names in these stay as they are. So they are only
// read, in CPython's own structures (python_layout.h), without a reference counted, an object made,
// or a function of Python called that could do either.
//
// CPython 3.9 to 3.14, found by name in the process (in the program itself or a library), never
// linked. Not read: other versions, free-threaded builds, forks whose structures differ. The first
// stacks are read through the kernel, which fails where memory is not there, and every object's
// type is compared; only then is memory read directly. A thread that neither holds the lock nor is
// the process's first goes through the kernel always, since Python's end may free its frames.
//
// Cost: some 80 ns a frame; through the kernel 20 us and more a stack. Thread-safe.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace xfer {

/// One call. `code` may be used as long as the thread stays where it is.
struct PythonCall {
  std::uint64_t what = 0;  ///< hash of function, file, line table, and place in it
  bool entered = false;    ///< native code entered the interpreter for it
  bool careful = false;
  std::uintptr_t code = 0;
  std::int64_t offset = 0;  ///< of the instruction, in bytes
};

struct PythonPlace {
  std::string function;
  std::string file;   ///< as Python has it: may be relative to where it was started
  unsigned line = 0;  ///< 0: not known
};

class PythonStacks {
 public:
  PythonStacks();
  ~PythonStacks();
  PythonStacks(const PythonStacks&) = delete;
  PythonStacks& operator=(const PythonStacks&) = delete;

  /// Looks for an interpreter that is loaded. Call once, before the others.
  void find();

  /// "3.11.7"; empty: there is no Python.
  const std::string& version() const { return version_; }
  /// Whether its structures are known.
  bool readable() const { return python_ != nullptr; }

  /// Innermost first, at most out.size(). 0: no Python thread, or nothing that can be read.
  std::size_t capture(std::span<PythonCall> out) noexcept;

  /// Of a call just captured by this thread. May throw std::bad_alloc.
  PythonPlace place(const PythonCall& call) const;

  struct Python;

 private:
  std::string version_;
  std::unique_ptr<const Python> python_;
  std::atomic<bool> proven_{false};  // a whole stack was as expected
  std::atomic<unsigned> doubts_{0};  // stacks that were not
};

}  // namespace xfer
