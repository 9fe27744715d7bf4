#include "event_queue.h"

#include <chrono>
#include <thread>
#include <utility>

#include "xfer/signal_lock.h"

namespace xfer::tracer {

EventQueue::EventQueue(Sink sink, std::size_t capacity)
    : sink_(std::move(sink)), ring_(capacity < 2 ? 2 : capacity) {}

void EventQueue::let_go(const Slot& slot, const Sink& sink) {
  for (const Event& before : slot.leading) sink(before);
  sink(slot.event);
}

void EventQueue::pop() {
  let_go(ring_[head_ % ring_.size()], sink_);
  ++head_;
}

void EventQueue::pop_ready() {
  while (head_ != tail_ && ring_[head_ % ring_.size()].ready) pop();
}

void EventQueue::push(const Event& event, bool ready) {
  if (tail_ - head_ == ring_.size()) {
    pop();
    pop_ready();
  }
  if (ready && head_ == tail_) {  // the common case: nothing is held back
    sink_(event);
    ++head_;
    ++tail_;
    return;
  }
  ring_[tail_ % ring_.size()] = {event, ready, {}};
  ++tail_;
}

void EventQueue::append(std::span<const Event> events) {
  const std::lock_guard lock(mutex_);
  for (const Event& event : events) push(event, true);
}

EventQueue::Ticket EventQueue::reserve(std::span<const Event> leading, const Event& event) {
  const std::lock_guard lock(mutex_);
  for (const Event& before : leading) push(before, true);
  push(event, false);
  return tail_ - 1;
}

EventQueue::Ticket EventQueue::reserve_with(std::vector<Event> leading, const Event& event) {
  const std::lock_guard lock(mutex_);
  push(event, false);
  ring_[(tail_ - 1) % ring_.size()].leading = std::move(leading);
  return tail_ - 1;
}

bool EventQueue::complete(Ticket ticket, const Event& event, std::vector<Event> leading) {
  const std::lock_guard lock(mutex_);
  if (ticket < head_ || ticket >= tail_) return false;
  ring_[ticket % ring_.size()] = {event, true, std::move(leading)};
  pop_ready();
  return true;
}

bool EventQueue::wait_until_out(int milliseconds) {
  std::unique_lock lock(mutex_);
  const Ticket tail = tail_;
  for (; head_ < tail && milliseconds > 0; --milliseconds) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    lock.lock();
  }
  return head_ >= tail;
}

void EventQueue::drain() {
  const std::lock_guard lock(mutex_);
  while (head_ != tail_) pop();
}

bool EventQueue::drain_from_signal(const Sink& sink) {
  const std::unique_lock lock = lock_from_signal(mutex_);
  if (!lock.owns_lock()) return false;
  for (; head_ != tail_; ++head_) let_go(ring_[head_ % ring_.size()], sink);
  return true;
}

}  // namespace xfer::tracer
