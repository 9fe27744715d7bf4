#include "grid/meeting.h"

namespace xfer::emulator::grid {

Meeting* MeetingPool::take(const MeetingKey& key) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Meeting>());
    free_.push_back(all_.back().get());
  }
  Meeting* const meeting = free_.back();
  free_.pop_back();
  meeting->key = key;
  meeting->came = 0;
  meeting->readers = 0;
  return meeting;
}

void MeetingPool::let_go(Meeting* meeting) {
  if (--meeting->readers == 0) free_.push_back(meeting);
}

}  // namespace xfer::emulator::grid
