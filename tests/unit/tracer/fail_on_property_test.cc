// --fail-on over random specs: it is understood, or refused by one line; never anything else.

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "fail_on.h"

namespace xfer::launcher {
namespace {

TEST(FailOnProperty, AnySpecIsUnderstoodOrRefusedInOneLine) {
  const std::vector<std::string> pieces = {"repeated-transfer",
                                           "round-trip",
                                           "warning",
                                           "any",
                                           "h2d_bytes",
                                           "d2h_count",
                                           "syncs",
                                           "_per_scope(",
                                           "_per_scope",
                                           "(",
                                           ")",
                                           "step",
                                           ">",
                                           ">=",
                                           "=",
                                           "<",
                                           ",",
                                           "1",
                                           "18446744073709551615",
                                           "99999999999",
                                           "MB",
                                           "GiB",
                                           "-",
                                           " ",
                                           "\n",
                                           "\x80",
                                           "%",
                                           "0",
                                           "KB",
                                           "B",
                                           ">>",
                                           "()",
                                           ".",
                                           "e9"};
  std::mt19937 random(1);
  int understood = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string spec;
    for (std::size_t n = random() % 8; n > 0; --n) spec += pieces[random() % pieces.size()];
    try {
      EXPECT_FALSE(FailOn::parse(spec).empty()) << spec;
      ++understood;
    } catch (const std::invalid_argument& error) {
      const std::string line = error.what();
      EXPECT_EQ(line.find("--fail-on: "), 0U) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
  }
  EXPECT_GT(understood, 500);
}

// A budget counts as exceeded exactly when its comparison holds for the number.
TEST(FailOnProperty, BudgetsCompareAsTheyRead) {
  std::mt19937_64 random(2);
  const std::pair<const char*, std::uint64_t> units[] = {
      {"", 1}, {"B", 1}, {"kB", 1000}, {"MB", 1000000}, {"KiB", 1024}, {"MiB", 1 << 20}};
  for (int i = 0; i < 2000; ++i) {
    const auto& [unit, factor] = units[random() % std::size(units)];
    const std::uint64_t limit = random() % 100;
    const bool or_equal = random() % 2 == 0;
    const std::uint64_t value = limit * factor + random() % 3 - (limit != 0 ? 1 : 0);
    const bool in_scope = random() % 2 == 0;
    Report report;
    if (in_scope)
      report.stats["scopes"]["step(1)"]["most"]["h2d_bytes"] = value;
    else
      report.stats["copies"]["host-to-device"]["bytes"] = value;
    const std::string spec = std::string("h2d_bytes") + (in_scope ? "_per_scope(step(1))" : "") +
                             (or_equal ? ">=" : ">") + std::to_string(limit) + unit;
    EXPECT_EQ(FailOn::parse(spec).exceeded(report).size(),
              (or_equal ? value >= limit * factor : value > limit * factor) ? 1U : 0U)
        << spec << " of " << value;
  }
}

}  // namespace
}  // namespace xfer::launcher
