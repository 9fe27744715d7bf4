#pragma once
// The units of a program together: facts in, findings out. Needs no sources and no Clang; the
// result does not depend on the number of threads.

#include <vector>

#include "analyzer/analyze.h"

namespace xfer::analyzer {

struct ProgramResult {
  std::vector<AnalysisResult> units;  ///< in the order of the units; empty where one is null
  std::size_t analysed_again = 0;     ///< after other units told more
};

/// Null units are files that could not be read: nothing is known of their functions.
ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads);

}  // namespace xfer::analyzer
