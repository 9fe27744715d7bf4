#pragma once
// Findings in code that was built without debug information: they have a function and a module, and
// no line. Says so, once for each module, and how to get lines.

#include <map>
#include <string>
#include <vector>

#include "xfer/rules/finding.h"
#include "xfer/symbolize.h"

namespace xfer {

class MissingLines {
 public:
  /// `place`: the frame that the finding is about. Where it has no line, the finding names its
  /// module.
  void look_at(const SymbolFrame* place, Finding& finding);

  std::vector<std::string> problems() const;

 private:
  std::map<std::string, std::size_t> findings_;  ///< of each such module
};

}  // namespace xfer
