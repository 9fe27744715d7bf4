#pragma once
// What a kernel does with the memory that it is given.

#include <map>
#include <string>

namespace xfer::analyzer {

/// What a kernel does where one of its parameters points; of one without a body, what its
/// declaration says.
struct PointerUse {
  bool only_reads = false;  ///< it writes nothing there
  bool writes = false;      ///< it writes there, on some path
  /// It reads there what was there before the call, whatever else it is given: `y[i] = a * x[i] +
  /// y[i]`.
  bool reads_first = false;
  bool unused = false;  ///< it does not name it
  bool polls = false;   ///< it waits for what the host writes there

  /// What both do for certain.
  void meet(const PointerUse& other) {
    only_reads &= other.only_reads;
    writes &= other.writes;
    reads_first &= other.reads_first;
    unused &= other.unused;
    polls |= other.polls;
  }

  friend bool operator==(const PointerUse&, const PointerUse&) = default;
};

/// What it does with one parameter.
struct ParameterUse : PointerUse {
  /// Of an object, by the names of its fields that are pointers: with what they point to. It leaves
  /// alone what it names nowhere.
  std::map<std::string, PointerUse> fields;

  friend bool operator==(const ParameterUse&, const ParameterUse&) = default;
};

}  // namespace xfer::analyzer
