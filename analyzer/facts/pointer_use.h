#pragma once
// A kernel's use of the memory that it is given.

#include <map>
#include <string>

namespace xfer::analyzer {

/// A kernel's use of the memory that one of its parameters points to; of one without a body, the
/// use that its declaration tells.
struct PointerUse {
  bool only_reads = false;  ///< it writes nothing there
  bool writes = false;      ///< it writes there, on some path
  /// It reads there what was there before the call, whatever else it is given: `y[i] = a * x[i] +
  /// y[i]`.
  bool reads_first = false;
  bool unused = false;  ///< it does not name it
  bool polls = false;   ///< it waits for what the host writes there

  /// Keeps the facts that are certain of both.
  void meet(const PointerUse& other) {
    only_reads &= other.only_reads;
    writes &= other.writes;
    reads_first &= other.reads_first;
    unused &= other.unused;
    polls |= other.polls;
  }

  friend bool operator==(const PointerUse&, const PointerUse&) = default;
};

/// A kernel's use of one parameter.
struct ParameterUse : PointerUse {
  /// Of an object: the use of the memory that its pointer fields point to, by their names. The
  /// kernel leaves alone the fields that it names nowhere.
  std::map<std::string, PointerUse> fields;

  friend bool operator==(const ParameterUse&, const ParameterUse&) = default;
};

}  // namespace xfer::analyzer
