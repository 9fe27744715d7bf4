#pragma once
// Brings the units of a program together: which of them call functions that another one defines,
// and have to be analysed again now that more is known of those. Callees come before their callers,
// so that a unit runs a second time only, or as often as a ring of units needs, up to a limit;
// every state on the way is right, the last one knows most. Cost: linear in summaries and calls,
// and units squared at worst.

#include <optional>
#include <vector>

#include "analyzer/program/summary_set.h"

namespace xfer::analyzer {

class Rounds {
 public:
  explicit Rounds(std::size_t units) : members_(units) {}

  /// The same of some of the units alone, ascending, which may run as often again.
  Rounds of(const std::vector<std::size_t>& units) const;

  /// Takes the summaries that the latest analysis of a unit found.
  void put(std::size_t unit, UnitSummaries summaries);

  struct Again {
    std::size_t unit = 0;
    UnitSummaries others;  ///< all that is known of the functions and classes it asks for
  };
  /// The units to analyse again now, in order; none: nothing is left to tell.
  std::vector<Again> next();

 private:
  struct Member {
    std::optional<UnitSummaries> summaries;  ///< none: there was nothing to analyse
    UnitSummaries told;
    unsigned runs = 1;
  };

  UnitSummaries known_to(const Member& member, const SummarySet& all) const;
  std::vector<std::vector<std::size_t>> callees() const;

  std::vector<Member> members_;
};

}  // namespace xfer::analyzer
