#pragma once
// A summary's facts in terms of the arguments of one call.

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// None: neither the class nor a base of it has a field of that name.
std::optional<FieldId> field_named(const Unit& unit, ClassId record, std::string_view name);

class Substitution {
 public:
  Substitution(Step& step, const Call& call) : step_(step), call_(call) {}

  const Call& call() const { return call_; }
  /// The caller's value for one of the callee's parameters, or for the field `path` of it.
  Value given(std::uint32_t parameter, std::string_view path);
  Value given(const Given& what) { return given(what.parameter, what.path); }
  Device substitute(const DeviceTerm& term);
  /// The places that a need speaks of, as they are at the call: a list or a tuple is each of its
  /// parts.
  std::vector<OperandView> needed(const DeviceTerm& term);
  Value outcome(const Outcome& outcome, Role role, std::uint32_t sub);
  /// Where the receiver is after the call; `before`: where it was.
  Device self_after(const Summary& summary, Device before);
  /// A value that decides about the callee's devices is the same in every run, so that only one of
  /// those that it may choose is left.
  bool leaves_no_choice();

 private:
  Device of_parameter(const DeviceTerm& term);
  Device needed_with(const DeviceTerm& term);
  Device by_default(std::uint32_t parameter) const;
  Rank rank_given(const DeviceTerm& term);

  Step& step_;
  const Call& call_;
  std::map<std::uint32_t, Device> choices_;  ///< of the callee: one device in all it hands back
  std::optional<bool> settled_;              ///< the call leaves nothing to choose
};

}  // namespace xfer::analyzer
