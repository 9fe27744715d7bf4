#include "range_owner.h"

#include <array>
#include <exception>
#include <new>
#include <utility>

#include "xfer/signal_lock.h"

// Where a process was forked, a thread that is not there may hold a mutex for ever, so each wait
// for one is bounded.

namespace xfer::tracer {
namespace {

// Of a range's name: its number, which thread had the owner when, which owner.
constexpr unsigned kNumberBits = 32;
constexpr unsigned kTurnBits = 20;
constexpr std::uint32_t kTurnMask = (1U << kTurnBits) - 1;
constexpr std::size_t kOwners = 1024;
constexpr std::size_t kMostEnds = 4096;  // kept for an owner that does nothing

std::array<std::atomic<RangeOwner*>, kOwners> g_owners{};  // never freed: names may be used late

}  // namespace

RangeOwner* RangeOwner::take() noexcept {
  for (std::uint32_t index = 0; index < kOwners; ++index) {
    RangeOwner* owner = g_owners[index].load(std::memory_order_acquire);
    if (owner == nullptr) {
      auto* const made = new (std::nothrow) RangeOwner;
      if (made == nullptr) return nullptr;
      made->index_ = index;
      if (g_owners[index].compare_exchange_strong(owner, made))
        owner = made;
      else
        delete made;
    }
    if (!owner->taken_.exchange(true)) return owner;
  }
  return nullptr;
}

void RangeOwner::give_back() noexcept {
  if (const std::unique_lock lock = lock_from_signal(mutex_); lock.owns_lock()) {
    ends_.clear();
    has_ends_.store(false, std::memory_order_relaxed);
    turn_.fetch_add(1);
  }
  taken_.store(false);
}

RangeOwner::RangeId RangeOwner::range_of(std::uint32_t number) const noexcept {
  const RangeId turn = turn_.load(std::memory_order_relaxed) & kTurnMask;
  return RangeId{index_ + 1} << (kNumberBits + kTurnBits) | turn << kNumberBits | number;
}

std::uint32_t RangeOwner::number_of(RangeId range) const noexcept {
  const auto number = static_cast<std::uint32_t>(range);
  return range_of(number) == range ? number : 0;
}

void RangeOwner::tell_of_end(RangeId range) noexcept try {
  const std::uint64_t index = range >> (kNumberBits + kTurnBits);
  if (index == 0 || index > kOwners) return;
  RangeOwner* const owner = g_owners[index - 1].load(std::memory_order_acquire);
  if (owner == nullptr) return;
  const std::unique_lock lock = lock_from_signal(owner->mutex_);
  if (!lock.owns_lock()) return;
  const std::uint32_t number = owner->number_of(range);
  if (number == 0 || owner->ends_.size() >= kMostEnds) return;
  owner->ends_.push_back(number);
  owner->has_ends_.store(true, std::memory_order_relaxed);
} catch (const std::exception&) {  // out of memory: it lasts as long as its thread
}

std::vector<std::uint32_t> RangeOwner::take_ends() {
  const std::unique_lock lock = lock_from_signal(mutex_);
  if (!lock.owns_lock()) return {};
  has_ends_.store(false, std::memory_order_relaxed);
  return std::exchange(ends_, {});
}

}  // namespace xfer::tracer
