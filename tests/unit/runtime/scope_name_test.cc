#include "src/scope_name.h"

#include <gtest/gtest.h>

namespace xfer {
namespace {

TEST(ScopeName, NumberedScopesOfOnePlaceShareTheirName) {
  EXPECT_EQ(without_numbers("ProfilerStep#3"), "ProfilerStep");
  EXPECT_EQ(without_numbers("batch 17/100"), "batch");
  EXPECT_EQ(without_numbers("epoch_2: step_31"), "epoch_*: step");
  EXPECT_EQ(without_numbers("block3.norm"), "block*.norm");
}
TEST(ScopeName, OtherNamesStay) {
  EXPECT_EQ(without_numbers("[param|cuda]"), "[param|cuda]");
  EXPECT_EQ(without_numbers("Optimizer.step#SGD.step"), "Optimizer.step#SGD.step");
  EXPECT_EQ(without_numbers("wait..."), "wait...");
  EXPECT_EQ(without_numbers(""), "");
}
TEST(ScopeName, ANumberAloneIsAName) { EXPECT_EQ(without_numbers("17/100"), "*"); }

}  // namespace
}  // namespace xfer
