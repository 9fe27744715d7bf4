#include "thread_scopes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace xfer::tracer {
namespace {

/// The scope log as text: "+name" where a scope begins, "-name" where it ends.
class Log final : public ScopeLog {
 public:
  std::uint64_t now() override { return ++clock_; }
  void begin(ScopeNames::Name& name, std::uint32_t id, std::uint64_t ns) override {
    name.second.in_trace = 1;
    EXPECT_TRUE(open_.emplace(id, name.first).second) << "two that are open have one id";
    text += "+" + name.first;
    times.push_back(ns);
  }
  void end(std::uint32_t id, std::uint64_t) override {
    text += "-" + open_.at(id);
    open_.erase(id);
  }
  std::string take() { return std::exchange(text, {}); }

  std::string text;
  std::vector<std::uint64_t> times;

 private:
  std::uint64_t clock_ = 100;
  std::map<std::uint32_t, std::string> open_;
};

class ThreadScopesTest : public testing::Test {
 protected:
  ScopeNames::Name* name(const char* text) { return names_.find(text); }
  int begin(const char* text, ThreadScopes::Stack stack = "own") {
    return scopes_.begin(stack, name(text), &log_);
  }
  int end(ThreadScopes::Stack stack = "own") { return scopes_.end(stack, &log_); }
  std::uint64_t unwritten(const char* text) { return name(text)->second.unwritten; }

  ScopeNames names_;
  Log log_;
  ThreadScopes scopes_;
};

TEST_F(ThreadScopesTest, AreWrittenBeforeTheFirstEventInThem) {
  EXPECT_EQ(begin("a"), 0);
  EXPECT_EQ(begin("b"), 1);
  EXPECT_EQ(log_.take(), "");
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "+a+b");
  EXPECT_LT(log_.times[0], log_.times[1]) << "each began when it began";
  scopes_.stir(log_);
  EXPECT_EQ(end(), 1);
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(log_.take(), "-b-a");
}

TEST_F(ThreadScopesTest, OfThoseWithoutEventsTheFirstIsWritten) {
  for (int i = 0; i < 5; ++i) {
    begin("a");
    end();
  }
  EXPECT_EQ(log_.take(), "+a-a");
  EXPECT_EQ(unwritten("a"), 4U);
  scopes_.stir(log_);  // what comes now is apart from what came before
  for (int i = 0; i < 5; ++i) {
    begin("a");
    end();
  }
  EXPECT_EQ(log_.take(), "+a-a");
  EXPECT_EQ(unwritten("a"), 8U);
}

TEST_F(ThreadScopesTest, AroundThemAllAreWritten) {
  begin("a");
  begin("b");
  end();
  EXPECT_EQ(log_.take(), "+a+b-b");
  end();
  EXPECT_EQ(log_.take(), "-a");
}

TEST_F(ThreadScopesTest, BegunBeforeThereIsATrace) {
  scopes_.begin("own", name("a"), nullptr);
  scopes_.begin("own", name("over"), nullptr);
  EXPECT_EQ(scopes_.end("own", nullptr), 1);
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "+a");
  EXPECT_EQ(log_.times[0], 101U) << "as far as the trace goes";
  end();
  EXPECT_EQ(log_.take(), "-a");
}

TEST_F(ThreadScopesTest, MoreEndsThanBegins) {
  EXPECT_EQ(end(), ThreadScopes::kNotOpen);
  begin("a");
  EXPECT_EQ(end("other"), ThreadScopes::kNotOpen);
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(end(), ThreadScopes::kNotOpen);
}

TEST_F(ThreadScopesTest, StacksDoNotNest) {
  const char* const theirs = "theirs";
  begin("a");
  EXPECT_EQ(begin("b", theirs), 0);
  EXPECT_EQ(begin("c"), 1);
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "+a+b+c");
  EXPECT_EQ(end(theirs), 0);
  EXPECT_EQ(log_.take(), "-b");
  begin("d", theirs);
  scopes_.stir(log_);
  EXPECT_EQ(end(), 1);
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(log_.take(), "+d-c-a");
}

TEST_F(ThreadScopesTest, WithoutANameItIsLeftOut) {
  const std::uint64_t before = ThreadScopes::left_out();
  scopes_.begin("own", nullptr, &log_);
  begin("b");
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "+b");
  EXPECT_EQ(end(), 1);
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(log_.take(), "-b");
  EXPECT_EQ(ThreadScopes::left_out(), before + 1);
}

TEST_F(ThreadScopesTest, TooManyAreLeftOut) {
  const int most = ThreadScopes::kMostOpen;
  for (int i = 0; i < most + 50; ++i) EXPECT_EQ(begin("a"), i);
  scopes_.stir(log_);
  EXPECT_EQ(log_.take().size(), 2U * ThreadScopes::kMostOpen);
  EXPECT_EQ(scopes_.start_range(name("r"), &log_), 0U);
  for (int i = most + 50; i-- > 0;) EXPECT_EQ(end(), i);
  EXPECT_EQ(end(), ThreadScopes::kNotOpen);
}

TEST_F(ThreadScopesTest, RangesEndInAnyOrder) {
  const auto first = scopes_.start_range(name("a"), &log_);
  const auto second = scopes_.start_range(name("b"), &log_);
  begin("c");
  scopes_.stir(log_);
  scopes_.end_range(first, &log_);
  scopes_.end_range(first, &log_);
  EXPECT_EQ(log_.take(), "+a+b+c-a");
  EXPECT_EQ(end(), 0) << "ranges are in no stack";
  scopes_.end_range(second, &log_);
  EXPECT_EQ(log_.take(), "-c-b");
  for (const std::uint64_t nonsense : {std::uint64_t{0}, std::uint64_t{12345}, UINT64_MAX})
    scopes_.end_range(nonsense, &log_);
}

TEST_F(ThreadScopesTest, ARangeThatAnotherThreadEndsIsOverWhenItsOwnDoesSomething) {
  const auto range = scopes_.start_range(name("a"), &log_);
  scopes_.stir(log_);
  std::thread([&] {
    ThreadScopes other;
    Log theirs;
    other.end_range(range, &theirs);
    EXPECT_EQ(theirs.text, "");
  }).join();
  EXPECT_EQ(log_.take(), "+a");
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "-a");
}

TEST_F(ThreadScopesTest, ARangeOfAThreadThatIsGone) {
  RangeOwner::RangeId range = 0;
  {
    ThreadScopes gone;
    range = gone.start_range(name("a"), &log_);
    gone.stir(log_);
    gone.end_all(&log_);
    EXPECT_EQ(log_.take(), "+a-a");
  }
  const auto mine = scopes_.start_range(name("b"), &log_);
  scopes_.stir(log_);
  EXPECT_NE(mine, range) << "another thread's";
  scopes_.end_range(range, &log_);
  scopes_.stir(log_);
  EXPECT_EQ(log_.take(), "+b");
}

TEST_F(ThreadScopesTest, AllThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<RangeOwner::RangeId> ranges(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        ThreadScopes scopes;
        Log log;
        const auto mine = scopes.start_range(names_.find(std::to_string(round)), &log);
        __atomic_store_n(&ranges[static_cast<std::size_t>(i)], mine, __ATOMIC_RELAXED);
        scopes.stir(log);
        for (auto& range : ranges)
          scopes.end_range(__atomic_load_n(&range, __ATOMIC_RELAXED), &log);
        scopes.stir(log);
        EXPECT_EQ(log.take(), "+" + std::to_string(round) + "-" + std::to_string(round));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ScopeNames, AreKeptOnceAndCounted) {
  ScopeNames names;
  ScopeNames::Name* const first = names.find("a", 2);
  EXPECT_EQ(names.find(std::string("a"), 0), first) << "it is known";
  EXPECT_NE(names.find("b", 2), nullptr);
  EXPECT_EQ(names.find("c", 2), nullptr);
  EXPECT_NE(names.find("c"), nullptr);
}

}  // namespace
}  // namespace xfer::tracer
