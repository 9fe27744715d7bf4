#pragma once
// Brings the units of one run together: which of them call functions that another one defines, and
// have to be analysed again now that more is known of those. Callees come before their callers, so
// that a unit runs a second time only, or as often as a ring of units needs, up to a limit; every
// state on the way is right, the last one knows most. What happens does not depend on the order in
// which units were finished. Cost: linear in summaries and calls, and units squared at worst.

#include <optional>
#include <vector>

#include "analyzer/driver/summary_file.h"

namespace xfer::lint {

class CrossFile {
 public:
  /// `before`: what --use-summaries said, which every unit has been told at its first analysis.
  /// `files` name the run's units: what `before` says of these is superseded.
  CrossFile(std::vector<SummarisedUnit> before, const std::vector<std::string>& files);

  /// What the latest analysis of a unit found.
  void put(std::size_t unit, analyzer::UnitSummaries summaries);

  struct Again {
    std::size_t unit = 0;
    analyzer::UnitSummaries others;  ///< all that is known of the functions and classes it asks for
  };
  /// The units to analyse again now, in order; none: nothing is left to tell.
  std::vector<Again> next();

 private:
  struct Member {
    std::optional<analyzer::UnitSummaries> summaries;  ///< none: the analysis failed
    analyzer::UnitSummaries told;
    unsigned runs = 1;
  };

  analyzer::UnitSummaries known_to(const Member& member, const analyzer::SummarySet& all) const;
  std::vector<std::vector<std::size_t>> callees() const;

  std::vector<SummarisedUnit> before_;
  analyzer::SummarySet told_at_first_;
  std::vector<Member> members_;
};

}  // namespace xfer::lint
