// xfer/assert.h against a listener of the test's own. tests/e2e/assert tests its messages about
// real copies.

#include "xfer/assert.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

xfer_counters done{};
int counting = 1;
std::string asked;
std::string answer;
long answer_count = 0;

int read_counters(xfer_counters* counters) {
  const size_t size = counters->size;
  std::memcpy(counters, &done, std::min(size, sizeof(done)));
  return counting;
}

long examine(const char* about, uint64_t since_ns, xfer_take_text take, void* to) {
  asked = std::string(about) + " since " + std::to_string(since_ns);
  take(to, answer.data(), answer.size());
  return answer_count;
}

void upload(uint64_t bytes) {
  ++done.h2d_count;
  done.h2d_bytes += bytes;
}
void download(uint64_t bytes) {
  ++done.d2h_count;
  done.d2h_bytes += bytes;
}

}  // namespace

extern "C" {
extern __attribute__((visibility("default"))) const xfer_listener xfer_listener_v1;
const xfer_listener xfer_listener_v1 = {
    sizeof(xfer_listener), nullptr, nullptr, nullptr, nullptr, nullptr,
    read_counters,         examine, nullptr};
}

namespace xfer::test {
namespace {

using ::testing::HasSubstr;

class AssertTest : public ::testing::Test {
 protected:
  void SetUp() override {
    done = {};
    done.time_ns = 77;
    counting = 1;
    answer_count = 0;
    answer.clear();
    asked.clear();
    upload(1000);  // before the block: not its own
  }
};

TEST_F(AssertTest, HoldsForWhatTheBlockDid) {
  EXPECT_TRANSFERS(h2d == 1, bytes <= 4096) { upload(4096); }
  EXPECT_TRANSFERS(h2d == 0, d2h == 2, d2h_bytes < 100, transfers != 0, h2d + d2h == 2) {
    download(4);
    download(4);
  }
  EXPECT_NO_TRANSFERS { ++done.d2d_count; }
  EXPECT_TRANSFERS(launches == 1, syncs >= 1, allocations > 0, p2p == 0) {
    ++done.launches;
    ++done.syncs;
    ++done.allocations;
  }
  EXPECT_EQ(asked, "") << "a trace is read only when something is wrong";
}

void wait_twice() {
  EXPECT_NO_SYNC {
    ++done.host_waits;
    XFER_SYNC_ALLOWED("one");
    ++done.host_waits;
  }
}

TEST_F(AssertTest, NoCallThatWaitsButThoseThatAreAllowed) {
  done.host_waits = 5;
  EXPECT_NO_SYNC { ++done.launches; }
  EXPECT_NO_SYNC {
    XFER_SYNC_ALLOWED("outer");
    ++done.host_waits;
    {
      XFER_SYNC_ALLOWED("inner");
      ++done.host_waits;
    }
  }
  answer = "  sync: 1 x, step.cc:7 in step\n";
  answer_count = 1;
  EXPECT_NONFATAL_FAILURE(wait_twice(),
                          "Expected of this block: no call that makes the host wait\n"
                          "There are 1, and 1 under XFER_SYNC_ALLOWED\n"
                          "All of them:\n  sync: 1 x, step.cc:7 in step\n");
  EXPECT_EQ(asked, "host_waits since 77");
}

TEST_F(AssertTest, NumbersOfAnyTypeFromTheSurroundings) {
  const std::size_t most = 4096;
  constexpr unsigned kOnce = 1;
  EXPECT_TRANSFERS(h2d == kOnce, bytes <= most) { upload(4096); }
  EXPECT_TRANSFERS(h2d <= std::max(1, 2)) { upload(1); }
}

TEST_F(AssertTest, AVariableOfACountersName) {
  const int bytes = 10;
  EXPECT_TRANSFERS(xfer::counters::bytes <= bytes) { upload(10); }
}

TEST_F(AssertTest, AFailureSaysWhatWasWantedFoundAndWhere) {
  answer = "  host to device: 3 x, 12 KiB, model.cc:41 in Model::forward\n";
  answer_count = 3;
  EXPECT_NONFATAL_FAILURE(
      {
        EXPECT_TRANSFERS(h2d == 1, bytes <= 4096) {
          for (int i = 0; i < 3; ++i) upload(4096);
}
}  // namespace
,
      "Expected of this block: h2d == 1, bytes <= 4096\n"
      "h2d is 3, not == 1\n"
      "bytes is 12288, not <= 4096\n"
      "Its copies:\n"
      "  host to device: 3 x, 12 KiB, model.cc:41 in Model::forward\n");
EXPECT_EQ(asked, "transfers since 77");
}  // namespace xfer::test

TEST_F(AssertTest, NoTransfers) {
  EXPECT_NONFATAL_FAILURE({ EXPECT_NO_TRANSFERS { download(4);
}
},
                          "Expected of this block: no transfers\ntransfers is 1, not == 0");
}

TEST_F(AssertTest, OfAnUnknownPlace) {
  answer_count = -1;
  answer = "no trace";
  EXPECT_NONFATAL_FAILURE({ EXPECT_NO_TRANSFERS { download(4);
}
}, "transfers is 1");
}

bool went_on = false;
void asserts_twice() {
  ASSERT_NO_TRANSFERS {}
  ASSERT_TRANSFERS(h2d == 1) { upload(1); }
  ASSERT_NO_FINDINGS {}
  went_on = true;
  ASSERT_TRANSFERS(h2d == 1) {}
  went_on = false;
}

TEST_F(AssertTest, AssertLeavesTheFunction) {
  EXPECT_FATAL_FAILURE(asserts_twice(), "h2d is 0, not == 1");
  EXPECT_TRUE(went_on);
}

TEST_F(AssertTest, BlocksThatAreLeftEarlyAreChecked) {
  const auto returns = [] {
    EXPECT_NO_TRANSFERS {
      upload(1);
      return;
    }
  };
  EXPECT_NONFATAL_FAILURE(returns(), "transfers is 1");
  EXPECT_NONFATAL_FAILURE(
      {
        EXPECT_NO_TRANSFERS {
          upload(1);
          if (done.h2d_count != 0) break;
}
},
      "transfers is 1");
  EXPECT_NONFATAL_FAILURE(
      {
        ASSERT_NO_TRANSFERS {
          upload(1);
          break;
  }
  },
      "transfers is 1");
  }

  TEST_F(AssertTest, AnExceptionIsNotHidden) {
  EXPECT_THROW(
      {
        EXPECT_NO_TRANSFERS {
          upload(1);
          throw std::runtime_error("of the block");
  }
  },
      std::runtime_error);
  }

  TEST_F(AssertTest, BlocksNest) {
    EXPECT_TRANSFERS(h2d == 2) {
      EXPECT_TRANSFERS(h2d == 1) { upload(1); }
      upload(1);
    }
  }

  TEST_F(AssertTest, Findings) {
    EXPECT_NO_FINDINGS { upload(1); }
    EXPECT_EQ(asked, "warning since 77");
    answer = "a.cc:1: warning: sent again [repeated-transfer]\n";
    answer_count = 1;
    EXPECT_NONFATAL_FAILURE({EXPECT_NO_FINDINGS{}}, answer);
    EXPECT_NONFATAL_FAILURE({EXPECT_NO_FINDINGS_OF("round-trip"){}},
                            "Expected no findings of this block (round-trip)\na.cc:1");
    EXPECT_EQ(asked, "round-trip since 77");
    answer_count = -1;
    answer = "out of memory";
    EXPECT_NONFATAL_FAILURE({EXPECT_NO_FINDINGS{}},
                            "could not be checked for findings: out of memory");
  }

  TEST_F(AssertTest, AListenerThatDoesNotCount) {
    counting = 0;
    ::testing::TestPartResultArray results;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      EXPECT_NO_TRANSFERS { upload(1); }
    }
    ASSERT_EQ(results.size(), 1);
    EXPECT_TRUE(results.GetTestPartResult(0).skipped());
    EXPECT_THAT(results.GetTestPartResult(0).message(), HasSubstr("does not trace this process"));
  }

  }  // namespace
  }  // namespace xfer::test
