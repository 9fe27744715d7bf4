#include "order/host_lesson.h"

namespace xfer {

HostLesson::What HostLesson::what_of_sync(const Event& sync, StreamOrder& order) {
  if (sync.sync == SyncScope::kEvent)
    return order.knows_event(sync) ? What::kWaitedFor : What::kEverything;
  if (sync.sync == SyncScope::kStream && !order.is_known(order.stream_of(sync)))
    return What::kEverything;
  return What::kWaitedFor;
}

HostLesson::What HostLesson::what_of(const Event& event, bool visible) {
  const bool waits = (event.flags & kAsync) == 0;
  switch (event.kind) {
    case EventKind::kCopy: return waits && event.bytes != 0 ? What::kBefore : What::kNothing;
    case EventKind::kSet:  // of host memory, it waits unless it is asked not to
      return waits && event.space == Space::kPinned ? What::kBefore : What::kNothing;
    case EventKind::kFree:  // an allocation may wait, too, but no program may count on that
      return waits && (event.flags & kSuballocation) == 0 ? What::kEverything : What::kNothing;
    case EventKind::kLaunch:
      return visible || (event.flags & (kMayTouchAll | kPlain)) == kMayTouchAll ? What::kBefore
                                                                                : What::kNothing;
    // It runs when what is before it is over, and can tell the program.
    case EventKind::kHostFunction: return What::kBefore;
    default: return What::kNothing;
  }
}

HostLesson::HostLesson(const Event& event, StreamOrder& order, bool visible)
    : what_(event.kind == EventKind::kSync ? what_of_sync(event, order) : what_of(event, visible)) {
  if (what_ == What::kBefore) stream_ = order.stream_of(event);
}

bool HostLesson::covers(const Work& work, const StreamOrder& order) const {
  switch (what_) {
    case What::kNothing: return false;
    case What::kEverything: return true;
    case What::kWaitedFor: return order.host_knows(work);
    case What::kBefore: return order.done_before(work, stream_);
  }
  return false;
}

}  // namespace xfer
