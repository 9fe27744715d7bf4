#pragma once
// Where the analysis lost track of values, for people who work on recall: reasons, how often, and
// of which variable on which line.

#include <compare>
#include <map>
#include <set>
#include <string>

namespace xfer::analyzer {

class Events;
struct FunctionFacts;
struct Unit;
class SourceText;

struct UnknownPlace {
  std::string file;
  unsigned line = 0;
  std::string variable;  ///< empty: a value that no variable holds

  friend auto operator<=>(const UnknownPlace&, const UnknownPlace&) = default;
};

struct UnknownReason {
  unsigned count = 0;
  std::set<UnknownPlace> places;
};

/// Of operations and modules with several operands, which must agree: of how many is known where
/// they are.
struct OperandCount {
  unsigned all = 0;
  unsigned known = 0;

  friend auto operator<=>(const OperandCount&, const OperandCount&) = default;
};

using Unknowns = std::map<std::string, UnknownReason>;

/// Adds what became unknown in one function.
void add_unknowns(const Unit& unit, const FunctionFacts& facts, const Events& events,
                  const SourceText& source, Unknowns& unknowns);

}  // namespace xfer::analyzer
