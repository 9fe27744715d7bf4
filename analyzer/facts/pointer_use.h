#pragma once

namespace xfer::analyzer {

/// What a kernel does where one of its parameters points; of one without a body, what its
/// declaration says.
struct PointerUse {
  bool only_reads = false;  ///< it writes nothing there
  bool writes = false;      ///< it writes there, on some path
  /// It reads there what was there before the call, whatever else it is given: `y[i] = a * x[i] +
  /// y[i]`.
  bool reads_first = false;

  friend bool operator==(const PointerUse&, const PointerUse&) = default;
};

}  // namespace xfer::analyzer
