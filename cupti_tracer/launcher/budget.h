#pragma once
// A budget of --fail-on: what a run may not exceed.
//
//   repeated-transfer>0             calls that findings of a rule are about
//   h2d_bytes>1GB                   of the whole run: {h2d,d2h,d2d,p2p}_{bytes,count}, launches,
//                                   syncs, allocations
//   h2d_bytes_per_scope(step)>1MB   the most in one scope of that name (annotate.h)
//
// `>=` as well as `>`. Bytes may have a unit: B, kB, MB, GB, KiB, MiB, GiB.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xfer/rules/report.h"

namespace xfer::launcher {

class Budget {
 public:
  static bool is_one(std::string_view item) {
    return item.find_first_of("<>=(") != std::string_view::npos;
  }
  /// How much of a list its first item is, which may be no budget: commas in the name of a scope do
  /// not end it.
  static std::size_t length(std::string_view list);
  /// Throws std::invalid_argument with one line that says what is not understood.
  static Budget parse(std::string_view item);

  /// If the run exceeded it: one line that says by what.
  std::optional<std::string> exceeded(const Report& report) const;

 private:
  std::optional<std::uint64_t> value(const Report& report) const;

  std::string text_;    ///< as written
  std::string metric_;  ///< without _per_scope(...)
  std::string scope_;   ///< empty: the whole run
  std::optional<Rule> rule_;
  bool or_equal_ = false;
  std::uint64_t limit_ = 0;
};

}  // namespace xfer::launcher
