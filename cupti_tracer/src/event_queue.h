#pragma once
// Keeps events in the order of their calls although some are complete only later: a copy is counted
// where it was made, and what it carried is known at its end, or, for an asynchronous download, at
// the sync that covers it. Completed events leave for the sink in order; open ones hold back those
// behind.
//
// Bounded: when the ring is full the oldest event leaves as it is. Thread-safe; one mutex, held
// while the sink takes an event.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "xfer/event.h"

namespace xfer::tracer {

class EventQueue {
 public:
  using Ticket = std::uint64_t;
  using Sink = std::function<void(const Event&)>;

  explicit EventQueue(Sink sink, std::size_t capacity = 8192);

  /// Complete events, kept together.
  void append(std::span<const Event> events);
  void append(const Event& event) { append({&event, 1}); }

  /// `leading` are complete events that belong before `event`, which stays open until complete().
  Ticket reserve(std::span<const Event> leading, const Event& event);
  Ticket reserve(const Event& event) { return reserve({}, event); }
  /// The same of events that complete() gives anew.
  Ticket reserve_with(std::vector<Event> leading, const Event& event);

  /// The final form of a reserved event, and complete ones that belong before it. False when it had
  /// to leave before.
  bool complete(Ticket ticket, const Event& event, std::vector<Event> leading = {});

  /// Waits, this long at most, until all that is in it now has left. False: something is still
  /// open.
  bool wait_until_out(int milliseconds);

  /// Lets everything go, complete or not.
  void drain();
  /// As drain(), for a signal handler, to a sink that may be called there: false when another call
  /// is at work for long.
  bool drain_from_signal(const Sink& sink);

 private:
  struct Slot {
    Event event;
    bool ready;
    std::vector<Event> leading;
  };
  void let_go(const Slot& slot, const Sink& sink);
  void push(const Event& event, bool ready);
  void pop_ready();
  void pop();

  Sink sink_;
  std::mutex mutex_;
  std::vector<Slot> ring_;
  Ticket head_ = 0;  // the oldest event held
  Ticket tail_ = 0;  // the next to come
};

}  // namespace xfer::tracer
