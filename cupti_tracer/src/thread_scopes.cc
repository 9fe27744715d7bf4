#include "thread_scopes.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace xfer::tracer {
namespace {

constexpr char kRanges = 0;  // the "stack" of those that any thread may end

std::atomic<std::uint64_t> g_left_out{0};

void leave_out() noexcept { g_left_out.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

ThreadScopes::~ThreadScopes() {
  if (owner_ != nullptr) owner_->give_back();
}

std::uint64_t ThreadScopes::left_out() noexcept {
  return g_left_out.load(std::memory_order_relaxed);
}

ThreadScopes::Open& ThreadScopes::add(Stack stack, ScopeNames::Name* name, int level,
                                      ScopeLog* log) {
  const State state = name != nullptr ? State::kPending : State::kLeftOut;
  const std::uint32_t id = open_.empty() ? 1 : open_.back().id + 1;
  open_.push_back({stack, name, log != nullptr ? log->now() : 0, id, 0, level, state});
  if (name != nullptr)
    ++pending_;
  else
    leave_out();
  return open_.back();
}

int ThreadScopes::begin(Stack stack, ScopeNames::Name* name, ScopeLog* log) {
  settle(log);
  if (open_.size() == kMostOpen) {
    leave_out();
    return static_cast<int>(open_.size() + beyond_++);
  }
  const auto around = std::find_if(open_.rbegin(), open_.rend(),
                                   [&](const Open& scope) { return scope.stack == stack; });
  const int level = around != open_.rend() ? around->level + 1 : 0;
  add(stack, name, level, log);
  return level;
}

int ThreadScopes::end(Stack stack, ScopeLog* log) {
  settle(log);
  if (beyond_ != 0) return static_cast<int>(open_.size() + --beyond_);
  const auto scope = std::find_if(open_.rbegin(), open_.rend(),
                                  [&](const Open& one) { return one.stack == stack; });
  if (scope == open_.rend()) return kNotOpen;
  const int level = scope->level;
  remove(std::next(scope).base(), log);
  return level;
}

RangeOwner::RangeId ThreadScopes::start_range(ScopeNames::Name* name, ScopeLog* log) {
  settle(log);
  if (owner_ == nullptr) owner_ = RangeOwner::take();
  if (owner_ == nullptr || open_.size() == kMostOpen) {
    leave_out();
    return 0;
  }
  if (++ranges_ == 0) ++ranges_;
  add(&kRanges, name, 0, log).range = ranges_;
  return owner_->range_of(ranges_);
}

void ThreadScopes::end_range(RangeOwner::RangeId range, ScopeLog* log) {
  settle(log);
  const std::uint32_t mine = owner_ != nullptr ? owner_->number_of(range) : 0;
  if (mine != 0)
    end_one(mine, log);
  else
    RangeOwner::tell_of_end(range);
}

void ThreadScopes::end_one(std::uint32_t range, ScopeLog* log) {
  const auto scope = std::find_if(open_.rbegin(), open_.rend(),
                                  [&](const Open& one) { return one.range == range; });
  if (scope != open_.rend()) remove(std::next(scope).base(), log);
}

void ThreadScopes::settle(ScopeLog* log) {
  if (owner_ == nullptr || !owner_->has_ends()) return;
  for (const std::uint32_t range : owner_->take_ends()) end_one(range, log);
}

void ThreadScopes::remove(Position scope, ScopeLog* log) {
  if (scope->state == State::kPending && log != nullptr) {
    ScopeUse& use = scope->name->second;
    // The first of a name tells that there are such; one after an event parts what comes after it
    // from what came before.
    if (stirred_ || use.in_trace.load(std::memory_order_relaxed) == 0)
      write_open(*log);
    else
      use.unwritten.fetch_add(1, std::memory_order_relaxed);
  }
  if (scope->state == State::kPending) --pending_;
  if (scope->state == State::kWritten && log != nullptr) {
    log->end(scope->id, log->now());
    stirred_ = false;
  }
  open_.erase(scope);
}

void ThreadScopes::write_open(ScopeLog& log) {
  for (Open& scope : open_) {
    if (scope.state != State::kPending) continue;
    log.begin(*scope.name, scope.id, scope.begin_ns != 0 ? scope.begin_ns : log.now());
    scope.state = State::kWritten;
  }
  pending_ = 0;
}

void ThreadScopes::end_all(ScopeLog* log) {
  while (!open_.empty()) remove(std::prev(open_.end()), log);
}

}  // namespace xfer::tracer
