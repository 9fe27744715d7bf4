#pragma once
// The earlier work of devices that an event tells the host is over, or may tell it in a way that is
// not seen: the program may take this work for over from then on. Code that keeps work under way
// drops the work that a lesson covers.

#include "order/stream_order.h"

namespace xfer {

class HostLesson {
 public:
  /// After the event's effect on the order. `visible`: of a launch, whether the kernel may write
  /// where the host can look.
  HostLesson(const Event& event, StreamOrder& order, bool visible);

  /// The work is over, or may be known to be.
  bool covers(const Work& work, const StreamOrder& order) const;
  bool is_empty() const { return what_ == What::kNothing; }

 private:
  enum class What {
    kNothing,
    kEverything,
    kWaitedFor,  ///< as the order says
    kBefore,     ///< what is in order before the next work of `stream_`
  };
  static What what_of(const Event& event, bool visible);
  static What what_of_sync(const Event& sync, StreamOrder& order);

  What what_;
  StreamId stream_ = 0;
};

}  // namespace xfer
