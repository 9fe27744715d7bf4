#pragma once
// The scopes that a thread has open, and which of them the trace gets. A scope is written when its
// thread does something that makes an event, so one that was open before CUDA started is there,
// too. Where it ends before that, and the thread did nothing since the last scope was written, it
// is only counted: programs mark small functions by the million.
//
// Each scope belongs to a stack of the thread's: annotate.h's, or that of an NVTX domain. Stacks do
// not nest in each other: a scope may end while others that began later stay open.
//
// Used by its thread alone. Throws nothing but std::bad_alloc.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "range_owner.h"
#include "scope_names.h"

namespace xfer::tracer {

/// Where scopes are written.
class ScopeLog {
 public:
  virtual std::uint64_t now() = 0;
  virtual void begin(ScopeNames::Name& name, std::uint32_t id, std::uint64_t ns) = 0;
  virtual void end(std::uint32_t id, std::uint64_t ns) = 0;

 protected:
  ~ScopeLog() = default;
};

class ThreadScopes {
 public:
  using Stack = const void*;
  static constexpr std::size_t kMostOpen = 256;  ///< those that begin then are left out
  static constexpr int kNotOpen = -1;

  ThreadScopes() = default;
  ~ThreadScopes();
  ThreadScopes(const ThreadScopes&) = delete;
  ThreadScopes& operator=(const ThreadScopes&) = delete;

  // `log` null: there is no trace, or not yet. `name` null: the scope is left out.

  /// Gives the scope's level in its stack, from 0.
  int begin(Stack stack, ScopeNames::Name* name, ScopeLog* log);
  /// The stack's innermost ends. Gives its level, or kNotOpen.
  int end(Stack stack, ScopeLog* log);

  /// One that any thread may end, in any order. 0: it is left out.
  RangeOwner::RangeId start_range(ScopeNames::Name* name, ScopeLog* log);
  /// This thread ends it, whichever started it.
  void end_range(RangeOwner::RangeId range, ScopeLog* log);

  /// The thread is about to make an event: what is open is written.
  void stir(ScopeLog& log) {
    if (owner_ != nullptr && owner_->has_ends()) settle(&log);
    stirred_ = true;
    if (pending_ != 0) write_open(log);
  }
  /// The thread ends, and all that it has open.
  void end_all(ScopeLog* log);

  /// Of all threads: scopes that were left out.
  static std::uint64_t left_out() noexcept;

 private:
  enum class State : std::uint8_t { kPending, kWritten, kLeftOut };
  struct Open {
    Stack stack;
    ScopeNames::Name* name;
    std::uint64_t begin_ns;  ///< 0: before there was a trace
    std::uint32_t id;        ///< in the trace: small, and larger than of those that began before
    std::uint32_t range;     ///< 0: it is none
    int level;
    State state;
  };
  using Position = std::vector<Open>::iterator;
  Open& add(Stack stack, ScopeNames::Name* name, int level, ScopeLog* log);
  void end_one(std::uint32_t range, ScopeLog* log);
  void remove(Position scope, ScopeLog* log);
  void write_open(ScopeLog& log);
  /// Ends what other threads ended.
  void settle(ScopeLog* log);

  std::vector<Open> open_;    // by begin
  std::size_t pending_ = 0;   // of them
  std::size_t beyond_ = 0;    // open too, but more than kMostOpen
  std::uint32_t ranges_ = 0;  // started so far
  bool stirred_ = false;      // there was an event since the end of a scope was written
  RangeOwner* owner_ = nullptr;
};

}  // namespace xfer::tracer
