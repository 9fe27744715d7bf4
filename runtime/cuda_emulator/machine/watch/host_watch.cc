#include "machine/watch/host_watch.h"

#include <sched.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include "machine/page.h"
#include "machine/watch/own_work.h"

namespace xfer::emulator {
namespace {

constexpr std::int64_t kMostCreditNs = 100'000'000;  // of faults, whatever the program takes itself
constexpr std::int64_t kFaults = 3;                  // of kAll ns that go by
constexpr std::int64_t kAll = 4;

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::uintptr_t page_of(std::uintptr_t address) { return address / page_bytes() * page_bytes(); }

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;

/// One instruction, then SIGTRAP. Whether that was blocked, which would end the process.
bool trap_after_one(void* context) {
  auto* const its = static_cast<ucontext_t*>(context);
  its->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
  const bool was_blocked = sigismember(&its->uc_sigmask, SIGTRAP) == 1;
  sigdelset(&its->uc_sigmask, SIGTRAP);
  return was_blocked;
}

void trap_no_more(void* context, bool block) {
  auto* const its = static_cast<ucontext_t*>(context);
  its->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  if (block) sigaddset(&its->uc_sigmask, SIGTRAP);
}
constexpr bool kCanStep = true;
#else
bool trap_after_one(void*) { return false; }
void trap_no_more(void*, bool) {}
constexpr bool kCanStep = false;
#endif

}  // namespace

int& OwnWork::depth() {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local int its = 0;
  return its;
}

std::uint64_t& HostFunctionWork::current() {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local std::uint64_t its = 0;
  return its;
}

std::optional<Access> WatchedBytes::touched_by(const Access& access) const {
  if (access.end <= begin || access.begin >= end()) return std::nullopt;
  const std::uint64_t row =
      access.begin <= begin || pitch == 0 ? 0 : (access.begin - begin) / pitch;
  for (std::uint64_t i = row; i < std::min(row + 2, rows); ++i) {
    const std::uintptr_t its_begin = begin + i * pitch;
    const Access both{std::max(its_begin, access.begin), std::min(its_begin + width, access.end),
                      access.writes};
    if (both.begin < both.end) return both;
  }
  return std::nullopt;
}

/// A spin lock that handlers may take: whoever holds it touches no watched memory. Signals are
/// blocked meanwhile, so that no handler of this thread waits for it.
class HostWatch::Locked {
 public:
  explicit Locked(HostWatch& watch) : watch_(watch) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
    int expected = 0;
    while (!watch_.owner_.compare_exchange_weak(expected, gettid(), std::memory_order_acquire)) {
      expected = 0;
      sched_yield();
    }
  }
  ~Locked() {
    watch_.owner_.store(0, std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  HostWatch& watch_;
  sigset_t before_;
};

HostWatch::Pages HostWatch::pages_of(const WatchedBytes& bytes) {
  return {page_of(bytes.begin), whole_pages(bytes.end())};
}

int HostWatch::needed(std::uintptr_t page) const {
  int allowed = PROT_READ | PROT_WRITE;
  for (std::size_t i = 0; i < count_; ++i) {
    const Pages pages = watched_[i].pages;
    if (page < pages.begin || page >= pages.end) continue;
    allowed &= watched_[i].bytes.device_writes ? PROT_NONE : PROT_READ;
  }
  return allowed;
}

void HostWatch::apply(Pages pages) {
  for (std::uintptr_t at = pages.begin; at < pages.end;) {
    std::uintptr_t next = pages.end;
    for (std::size_t i = 0; i < count_; ++i) {
      const Pages its = watched_[i].pages;
      if (its.begin > at) next = std::min(next, its.begin);
      if (its.end > at) next = std::min(next, its.end);
    }
    mprotect(reinterpret_cast<void*>(at), next - at, needed(at));
    at = next;
  }
}

void HostWatch::erase(std::size_t index) {
  const Pages pages = watched_[index].pages;
  watched_[index] = watched_[--count_];
  apply(pages);
}

bool HostWatch::watch(const WatchedBytes& bytes) {
  if (bytes.width == 0 || bytes.rows == 0) return false;
  const Locked locked(*this);
  if (count_ == kMost) return false;
  if (credited_at_ns_ == 0) {
    credited_at_ns_ = now_ns();
    credit_ns_ = kMostCreditNs;
  }
  const Pages pages = pages_of(bytes);
  watched_[count_++] = {bytes, pages};
  lowest_ = std::min(lowest_, pages.begin);
  highest_ = std::max(highest_, pages.end);
  apply(pages);
  return true;
}

void HostWatch::release(std::uint64_t id) {
  const Locked locked(*this);
  for (std::size_t i = count_; i-- > 0;)
    if (watched_[i].bytes.id == id) erase(i);
}

void HostWatch::release(std::uintptr_t begin, std::uintptr_t end) {
  const Locked locked(*this);
  for (std::size_t i = count_; i-- > 0;)
    if (watched_[i].bytes.begin < end && begin < watched_[i].bytes.end()) erase(i);
}

void HostWatch::forget_in_child() {
  owner_.store(0, std::memory_order_relaxed);
  for (Step& step : steps_) step.thread = 0;
  release_all();
}

bool HostWatch::find_touched(const Access& access, std::uint64_t early_for, HostTouch* touch) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (watched_[i].bytes.id >= early_for || (!access.writes && !watched_[i].bytes.device_writes))
      continue;
    const auto both = watched_[i].bytes.touched_by(access);
    if (!both) continue;
    *touch = {watched_[i].bytes.id, *both};
    erase(i);
    return true;
  }
  return false;
}

void HostWatch::open_for_a_while(Pages pages) {
  const std::size_t count = open_count_.load(std::memory_order_relaxed);
  mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, PROT_READ | PROT_WRITE);
  if (count == kMostOpen) {  // one that holds them all
    for (std::size_t i = 0; i < count; ++i)
      pages = {std::min(pages.begin, open_[i].begin), std::max(pages.end, open_[i].end)};
    open_[0] = pages;
    open_count_.store(1, std::memory_order_relaxed);
    return;
  }
  open_[count] = pages;
  open_count_.store(count + 1, std::memory_order_relaxed);
}

void HostWatch::close_again() {
  if (!is_open_for_a_while()) return;
  const Locked locked(*this);
  if (is_spent(now_ns())) return;
  const std::size_t count = open_count_.exchange(0, std::memory_order_relaxed);
  for (std::size_t i = 0; i < count; ++i) {
    // Between them may lie pages that are not the watch's.
    const Pages open = open_[i];
    for (std::size_t w = 0; w < count_; ++w) {
      const Pages its = watched_[w].pages;
      const Pages both{std::max(open.begin, its.begin), std::min(open.end, its.end)};
      if (both.begin < both.end) apply(both);
    }
  }
}

bool HostWatch::is_spent(std::uint64_t now) {
  const auto went_by = static_cast<std::int64_t>(now - std::exchange(credited_at_ns_, now));
  credit_ns_ = std::min(kMostCreditNs, credit_ns_ + went_by / kAll * kFaults);
  return credit_ns_ <= 0;
}

bool HostWatch::step(std::uintptr_t page, void* context, std::uint64_t began_ns) {
  const int thread = gettid();
  const std::uintptr_t place = place_of(context);
  Step* free = nullptr;
  for (Step& step : steps_) {
    if (step.thread == 0 && free == nullptr) free = &step;
    if (step.thread != thread) continue;
    // The same instruction's next page. A step of another one was left, by a jump out of a handler.
    if (step.place == place && step.count < step.pages.size()) {
      step.pages[step.count++] = {page, page + page_bytes()};
      return true;
    }
    step.thread = 0;
    for (unsigned i = 0; i < step.count; ++i) apply(step.pages[i]);
    free = &step;
  }
  if (free == nullptr) return false;
  *free = {thread, place, {Pages{page, page + page_bytes()}}, 1, trap_after_one(context), began_ns};
  return true;
}

HostWatch::Verdict HostWatch::fault(std::uintptr_t address, void* context, std::uint64_t early_for,
                                    HostTouch* touch) {
  // How often this thread was sent back in a row, though nothing is closed there.
  constexpr unsigned kMostRetries = 1000;
  [[gnu::tls_model("initial-exec")]] static constinit thread_local unsigned retries = 0;
  const int saved = errno;
  const Locked locked(*this);
  if (address < lowest_ || address >= highest_) return Verdict::kNotWatched;
  const std::uint64_t began_ns = now_ns();
  const std::uintptr_t page = page_of(address);
  const Pages pages{page, page + page_bytes()};
  const int allowed = needed(page);
  const bool wrote = was_write(context).value_or(false);
  if ((allowed & (wrote ? PROT_WRITE : PROT_READ)) != 0) {
    // Another thread has opened it since. A fault that keeps coming has another cause.
    errno = saved;
    return ++retries > kMostRetries ? Verdict::kNotWatched : Verdict::kGoOn;
  }
  retries = 0;
  if (last_thread_ == gettid()) least_gap_ns_ = std::min(least_gap_ns_, began_ns - last_ns_);
  faults_.fetch_add(1, std::memory_order_relaxed);
  Verdict verdict = Verdict::kGoOn;
  const bool program = early_for != 0;
  if (program) {
    Accesses accesses;
    if (const auto decoded = accesses_of(context); decoded && decoded->count != 0)
      accesses = *decoded;
    else
      accesses.list[accesses.count++] = {address, address + 1, wrote};
    for (const Access& access : accesses)
      if (verdict == Verdict::kGoOn && find_touched(access, early_for, touch))
        verdict = Verdict::kTouched;
  }
  const bool spent = program && is_spent(began_ns);
  if (spent) rests_.fetch_add(1, std::memory_order_relaxed);
  if (needed(page) != (PROT_READ | PROT_WRITE)) {
    if (mprotect(reinterpret_cast<void*>(page), page_bytes(), PROT_READ | PROT_WRITE) != 0)
      verdict = Verdict::kNotWatched;  // registered memory that went unseen
    else if (!program || spent || !kCanStep || !step(page, context, began_ns))
      open_for_a_while(pages);
  }
  errno = saved;
  return verdict;
}

bool HostWatch::stepped(void* context) {
  const int saved = errno;
  const Locked locked(*this);
  const int thread = gettid();
  const auto step = std::find_if(steps_.begin(), steps_.end(),
                                 [&](const Step& its) { return its.thread == thread; });
  if (step == steps_.end()) return false;
  // A repeated instruction stops after each element.
  if (step->place == place_of(context)) return true;
  trap_no_more(context, step->trap_was_blocked);
  step->thread = 0;
  for (unsigned i = 0; i < step->count; ++i) apply(step->pages[i]);
  last_ns_ = now_ns();
  last_thread_ = thread;
  credit_ns_ -= static_cast<std::int64_t>(last_ns_ - step->began_ns +
                                          (least_gap_ns_ != UINT64_MAX ? least_gap_ns_ : 0));
  errno = saved;
  return true;
}

bool HostWatch::touched(const Access& access, std::uint64_t early_for, HostTouch* touch) {
  if (access.end <= access.begin) return false;
  const Locked locked(*this);
  if (count_ == 0 || access.end <= lowest_ || access.begin >= highest_) return false;
  const bool found = find_touched(access, early_for, touch);
  const Pages pages{page_of(access.begin), whole_pages(access.end)};
  for (std::size_t i = 0; i < count_; ++i) {
    const Pages its = watched_[i].pages;
    const Pages both{std::max(pages.begin, its.begin), std::min(pages.end, its.end)};
    if (both.begin < both.end) open_for_a_while(both);
  }
  return found;
}

}  // namespace xfer::emulator
