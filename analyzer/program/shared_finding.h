#pragma once
// Findings of several functions about one operation.

#include <string>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// A finding at a call: the callee comes to an operation that fails.
struct ToldNeed {
  Location operation;
  std::string callee;  ///< its qualified name
};

/// A finding that another one, of another function, may say better.
struct SharedFinding {
  enum class Blame {
    kHere,    ///< the function itself has what does not fit
    kCall,    ///< a call gives what does not fit to what the callee has
    kCallee,  ///< the function was given all that it takes
  };
  Finding finding;
  Location operation;    ///< that fails; the finding may stand at a call that leads there
  std::string function;  ///< that it is found in: its qualified name
  Blame blame = Blame::kHere;
  std::size_t unit = 0;  ///< of the program, that it is in
};

/// One operation that fails is said once: where a function has what does not fit, else at the calls
/// that bring it, else where it stands. `told`: what is said of calls for certain.
std::vector<SharedFinding> said_once(std::vector<SharedFinding> shared,
                                     const std::vector<ToldNeed>& told);

}  // namespace xfer::analyzer
