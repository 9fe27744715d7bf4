#ifndef XFER_ASSERT_H
#define XFER_ASSERT_H
// Transfer budgets as test assertions, for GoogleTest. Header-only, C++17; link xfercheck::annotate
// and GoogleTest.
//
//   EXPECT_TRANSFERS(h2d == 1, bytes <= 4096) { scores = model->forward(batch); }
//   EXPECT_NO_TRANSFERS { scores = model->forward(batch_on_the_gpu); }
//   EXPECT_NO_SYNC { loss = step(batch); }
//   EXPECT_NO_FINDINGS { train_one_epoch(); }
//   EXPECT_NO_FINDINGS_OF("repeated-transfer,round-trip") { train_one_epoch(); }
//
// and ASSERT_ twins, which leave the function as GoogleTest's do. A check covers the calls of the
// calling thread in the block; it sees neither other threads nor calls begun before. A block that
// is left by return, goto or `break` is checked all the same (without leaving the function), one
// that is left by an exception is not.
//
// Counters: h2d, d2h, d2d, p2p (copies: host to device, device to host, within a device, between
// devices), the same with _bytes, transfers and bytes (those that cross a border: all but d2d),
// launches, syncs, allocations, host_waits (calls that make the host wait: syncs, and copies that
// are synchronous or touch pageable memory, and frees of device memory). Compare a counter, or a
// sum of some, by == != < <= > >= with a number.
//
// EXPECT_NO_SYNC allows no host_waits, but for those under an exemption in the code that it runs:
//
//   { XFER_SYNC_ALLOWED("the loss is printed every 100 steps"); printf("%f", loss.item()); }
//
// xfertrace must count: run the test by `xfertrace ./test`, on the GPU, or by `xfertrace --emulate
// ./test` without a GPU. Without xfertrace, the block runs, nothing is checked, and the test counts
// as skipped, not as passed; with XFERCHECK_REQUIRED=1 in the environment it fails.
//
// EXPECT_NO_FINDINGS runs xfertrace over the trace of the run so far (some 10 ms and more), and
// judges by what is known at the block's end: a copy that nothing has used yet may still be used.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "xfer/annotate.h"

namespace xfer::testing {

/// The calling thread's counters at one moment. Fields that the listener does not know are 0.
class Counted {
 public:
  static Counted now() {
    Counted counted;
    counted.counts_ = xfer_read_counters(&counted.counters_) != 0;
    return counted;
  }
  bool somebody_counts() const { return counts_; }
  std::uint64_t time_ns() const { return counters_.time_ns; }
  std::uint64_t of(std::uint64_t xfer_counters::* counter) const { return counters_.*counter; }
  std::uint64_t since(const Counted& begin, std::uint64_t xfer_counters::* counter) const {
    return of(counter) - begin.of(counter);
  }

 private:
  xfer_counters counters_{};
  bool counts_ = false;
};

/// A counter, or a sum of several.
class Counter {
 public:
  Counter(const char* name, std::initializer_list<std::uint64_t xfer_counters::*> parts)
      : name_(name), parts_(parts) {}

  const std::string& name() const { return name_; }
  std::int64_t between(const Counted& begin, const Counted& end) const {
    std::uint64_t sum = 0;
    for (const auto part : parts_) sum += end.since(begin, part);
    return static_cast<std::int64_t>(sum);
  }
  friend Counter operator+(Counter a, const Counter& b) {
    a.name_ += " + " + b.name_;
    a.parts_.insert(a.parts_.end(), b.parts_.begin(), b.parts_.end());
    return a;
  }

 private:
  std::string name_;
  std::vector<std::uint64_t xfer_counters::*> parts_;
};

/// A counter compared with a number.
class Condition {
 public:
  using Compare = bool (*)(std::int64_t, std::int64_t);
  Condition(Counter counter, const char* sign, Compare compare, std::int64_t limit)
      : counter_(std::move(counter)), sign_(sign), compare_(compare), limit_(limit) {}

  /// Empty when it holds.
  std::string failure(const Counted& begin, const Counted& end) const {
    const std::int64_t value = counter_.between(begin, end);
    if (compare_(value, limit_)) return {};
    return counter_.name() + " is " + std::to_string(value) + ", not " + sign_ + " " +
           std::to_string(limit_) + "\n";
  }

 private:
  Counter counter_;
  std::string sign_;
  Compare compare_;
  std::int64_t limit_;
};

#define XFER_COUNTER_COMPARISON(sign)                                                           \
  template <typename Number, typename = std::enable_if_t<std::is_integral_v<Number>>>           \
  Condition operator sign(Counter counter, Number limit) {                                      \
    return {std::move(counter), #sign, [](std::int64_t a, std::int64_t b) { return a sign b; }, \
            static_cast<std::int64_t>(limit)};                                                  \
  }
XFER_COUNTER_COMPARISON(==)
XFER_COUNTER_COMPARISON(!=)
XFER_COUNTER_COMPARISON(<)
XFER_COUNTER_COMPARISON(<=)
XFER_COUNTER_COMPARISON(>)
XFER_COUNTER_COMPARISON(>=)
#undef XFER_COUNTER_COMPARISON

template <typename... Conditions>
std::vector<Condition> all_of(Conditions&&... conditions) {
  static_assert(sizeof...(Conditions) > 0, "EXPECT_TRANSFERS: which transfers? e.g. (h2d == 1)");
  static_assert(
      (std::is_same_v<std::decay_t<Conditions>, Condition> && ...),
      "EXPECT_TRANSFERS: each condition compares a counter (h2d, bytes, ...) with a number. If "
      "a variable of yours has a counter's name, write xfer::counters::NAME");
  return {std::forward<Conditions>(conditions)...};
}

/// The block of an assertion: runs once, is then judged, and told of when it failed.
class Block {
 public:
  Block(const char* file, int line)
      : file_(file), line_(line), exceptions_(std::uncaught_exceptions()), begin_(Counted::now()) {}
  virtual ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// First to run the block; then, if it failed, to tell.
  bool next() {
    if (!ran_) return ran_ = true;
    if (judged_) return false;
    judge();
    return failed();
  }
  bool failed() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

 protected:
  /// The faults, by lines; empty: none.
  virtual std::string verdict(const Counted& begin, const Counted& end) const = 0;

  /// A block that was left early; in the destructor of each kind of block.
  void end() {
    if (judged_ || std::uncaught_exceptions() > exceptions_) return;
    judge();
    if (failed())
      GTEST_MESSAGE_AT_(file_, line_, text_.c_str(), ::testing::TestPartResult::kNonFatalFailure);
  }

  /// xfer_listener::examine. -1, with the reason in `text`: it cannot be told.
  static long examine(const char* about, const Counted& begin, std::string& text) {
    const xfer_listener* listener = xfer_find_listener();
    const auto take = [](void* to, const char* piece, std::size_t length) {
      static_cast<std::string*>(to)->append(piece, length);
    };
    (void)listener;
    (void)take;
    text = "this xfertrace is too old for it";
    if (!XFER_HAS(listener, examine)) return -1;
    text.clear();
    return listener->examine(about, begin.time_ns(), take, &text);
  }

 private:
  void judge() {
    judged_ = true;
    const Counted now = Counted::now();
    if (begin_.somebody_counts() && now.somebody_counts()) {
      text_ = verdict(begin_, now);
      return;
    }
    const std::string why = nobody_counts();
    const char* const required = std::getenv("XFERCHECK_REQUIRED");
    if (required != nullptr && *required != '\0' && std::string(required) != "0")
      text_ = why;
    else
      GTEST_MESSAGE_AT_(file_, line_, why.c_str(), ::testing::TestPartResult::kSkip);
  }

  static std::string nobody_counts() {
    const bool listener = xfer_find_listener() != nullptr && xfer_find_listener()->size != 0;
    return std::string("Transfers were not checked: ") +
           (listener
                ? "xfertrace does not trace this process; it said why when CUDA started"
                : "nothing counts them. Run the test by `xfertrace` (on a machine without a GPU: "
                  "`xfertrace --emulate`)");
  }

  const char* file_;
  int line_;
  int exceptions_;
  Counted begin_;
  bool ran_ = false;
  bool judged_ = false;
  std::string text_;
};

class TransfersBlock final : public Block {
 public:
  TransfersBlock(const char* file, int line, const char* wanted, std::vector<Condition> conditions)
      : Block(file, line), wanted_(wanted), conditions_(std::move(conditions)) {}
  ~TransfersBlock() override { end(); }

 private:
  std::string verdict(const Counted& begin, const Counted& end) const override {
    std::string wrong;
    for (const Condition& condition : conditions_) wrong += condition.failure(begin, end);
    if (wrong.empty()) return wrong;
    std::string text = "Expected of this block: " + std::string(wanted_) + "\n" + wrong;
    std::string copies;
    const long count = examine("transfers", begin, copies);
    if (count > 0) text += "Its copies:\n" + copies;
    return text;
  }

  const char* wanted_;
  std::vector<Condition> conditions_;
};

/// The calling thread may wait while this lives.
class SyncAllowed {
 public:
  explicit SyncAllowed(const char* /*reason*/) : begin_(Counted::now()) { ++depth(); }
  ~SyncAllowed() {
    if (--depth() == 0) allowed() += Counted::now().since(begin_, &xfer_counters::host_waits);
  }
  SyncAllowed(const SyncAllowed&) = delete;
  SyncAllowed& operator=(const SyncAllowed&) = delete;

  /// The waits that this thread was allowed so far.
  static std::uint64_t& allowed() {
    thread_local std::uint64_t its = 0;
    return its;
  }

 private:
  static int& depth() {
    thread_local int its = 0;
    return its;
  }
  Counted begin_;
};

class NoSyncBlock final : public Block {
 public:
  NoSyncBlock(const char* file, int line) : Block(file, line), allowed_(SyncAllowed::allowed()) {}
  ~NoSyncBlock() override { end(); }

 private:
  std::string verdict(const Counted& begin, const Counted& end) const override {
    const std::uint64_t all = end.since(begin, &xfer_counters::host_waits);
    const std::uint64_t allowed = SyncAllowed::allowed() - allowed_;
    if (all <= allowed) return {};
    std::string text = "Expected of this block: no call that makes the host wait\nThere are " +
                       std::to_string(all - allowed) + ", and " + std::to_string(allowed) +
                       " under XFER_SYNC_ALLOWED\n";
    std::string calls;
    if (examine("host_waits", begin, calls) > 0) text += "All of them:\n" + calls;
    return text;
  }

  std::uint64_t allowed_;
};

class FindingsBlock final : public Block {
 public:
  FindingsBlock(const char* file, int line, const char* which) : Block(file, line), which_(which) {}
  ~FindingsBlock() override { end(); }

 private:
  std::string verdict(const Counted& begin, const Counted&) const override {
    std::string text;
    const long count = examine(which_, begin, text);
    if (count == 0) return {};
    if (count < 0) return "This block could not be checked for findings: " + text;
    return "Expected no findings of this block (" + std::string(which_) + ")\n" + text;
  }

  const char* which_;
};

}  // namespace xfer::testing

/// The names in EXPECT_TRANSFERS.
namespace xfer::counters {

using C = ::xfer_counters;
inline const testing::Counter h2d{"h2d", {&C::h2d_count}};
inline const testing::Counter h2d_bytes{"h2d_bytes", {&C::h2d_bytes}};
inline const testing::Counter d2h{"d2h", {&C::d2h_count}};
inline const testing::Counter d2h_bytes{"d2h_bytes", {&C::d2h_bytes}};
inline const testing::Counter d2d{"d2d", {&C::d2d_count}};
inline const testing::Counter d2d_bytes{"d2d_bytes", {&C::d2d_bytes}};
inline const testing::Counter p2p{"p2p", {&C::p2p_count}};
inline const testing::Counter p2p_bytes{"p2p_bytes", {&C::p2p_bytes}};
inline const testing::Counter transfers{"transfers", {&C::h2d_count, &C::d2h_count, &C::p2p_count}};
inline const testing::Counter bytes{"bytes", {&C::h2d_bytes, &C::d2h_bytes, &C::p2p_bytes}};
inline const testing::Counter launches{"launches", {&C::launches}};
inline const testing::Counter syncs{"syncs", {&C::syncs}};
inline const testing::Counter allocations{"allocations", {&C::allocations}};
inline const testing::Counter host_waits{"host_waits", {&C::host_waits}};

}  // namespace xfer::counters

// The loop goes once through the block, and, when that failed, once more to tell.
#define XFER_BLOCK_(tell, kind, ...) \
  XFER_NAMED_BLOCK_(XFER_ANNOTATE_JOIN(xfer_block_, __LINE__), tell, kind, __VA_ARGS__)
#define XFER_NAMED_BLOCK_(block, tell, kind, ...)                                   \
  for (::xfer::testing::kind block(__FILE__, __LINE__, __VA_ARGS__); block.next();) \
    if (block.failed())                                                             \
      tell(__FILE__, __LINE__) << block.text();                                     \
    else
#define XFER_TRANSFERS_(tell, ...)                            \
  XFER_BLOCK_(tell, TransfersBlock, #__VA_ARGS__, [&] {       \
    using namespace ::xfer::counters; /* NOLINT: the names */ \
    return ::xfer::testing::all_of(__VA_ARGS__);              \
  }())
#define XFER_NO_TRANSFERS_(tell)                    \
  XFER_BLOCK_(tell, TransfersBlock, "no transfers", \
              ::xfer::testing::all_of(::xfer::counters::transfers == 0))

// GTEST_FAIL_AT of some versions of GoogleTest does not return.
#define XFER_FAIL_AT_(file, line) \
  return GTEST_MESSAGE_AT_(file, line, "Failed", ::testing::TestPartResult::kFatalFailure)

/// Runs the block, and fails unless its counters fulfil all conditions: (h2d == 1, bytes <= 4096).
#define EXPECT_TRANSFERS(...) XFER_TRANSFERS_(ADD_FAILURE_AT, __VA_ARGS__)
/// As EXPECT_TRANSFERS, and leaves the function.
#define ASSERT_TRANSFERS(...) XFER_TRANSFERS_(XFER_FAIL_AT_, __VA_ARGS__)
/// Runs the block, and fails if it copies between the host and a device, or between devices.
#define EXPECT_NO_TRANSFERS XFER_NO_TRANSFERS_(ADD_FAILURE_AT)
/// As EXPECT_NO_TRANSFERS, and leaves the function.
#define ASSERT_NO_TRANSFERS XFER_NO_TRANSFERS_(XFER_FAIL_AT_)

#define XFER_NO_SYNC_(block, tell)                                            \
  for (::xfer::testing::NoSyncBlock block(__FILE__, __LINE__); block.next();) \
    if (block.failed())                                                       \
      tell(__FILE__, __LINE__) << block.text();                               \
    else
/// Runs the block, and fails if a call in it makes the host wait, outside XFER_SYNC_ALLOWED.
#define EXPECT_NO_SYNC XFER_NO_SYNC_(XFER_ANNOTATE_JOIN(xfer_block_, __LINE__), ADD_FAILURE_AT)
/// As EXPECT_NO_SYNC, and leaves the function.
#define ASSERT_NO_SYNC XFER_NO_SYNC_(XFER_ANNOTATE_JOIN(xfer_block_, __LINE__), XFER_FAIL_AT_)
/// Lets the calling thread wait until the end of the scope. `reason`: for readers of the test.
#define XFER_SYNC_ALLOWED(reason) \
  const ::xfer::testing::SyncAllowed XFER_ANNOTATE_JOIN(xfer_sync_allowed_, __LINE__)(reason)

/// Runs the block, and fails if it has findings of severity warning or error.
#define EXPECT_NO_FINDINGS EXPECT_NO_FINDINGS_OF("warning")
/// As EXPECT_NO_FINDINGS, and leaves the function.
#define ASSERT_NO_FINDINGS ASSERT_NO_FINDINGS_OF("warning")
/// As EXPECT_NO_FINDINGS, for findings of some rules and severities, separated by commas.
#define EXPECT_NO_FINDINGS_OF(which) XFER_BLOCK_(ADD_FAILURE_AT, FindingsBlock, which)
/// As EXPECT_NO_FINDINGS_OF, and leaves the function.
#define ASSERT_NO_FINDINGS_OF(which) XFER_BLOCK_(XFER_FAIL_AT_, FindingsBlock, which)

#endif  // XFER_ASSERT_H
