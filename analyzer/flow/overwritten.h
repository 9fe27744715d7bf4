#pragma once
// Values that a field holds for a while and that nobody else sees: it gets another one before any
// code outside the function may look. `x_ = torch::zeros({4}); x_ = x_.to(device_);` leaves x_ on
// the device, whatever it was in between.

#include <set>
#include <utility>

#include "analyzer/facts/facts.h"

namespace xfer::analyzer {

class Overwritten {
 public:
  explicit Overwritten(const FunctionFacts& facts);

  /// The value that a fact puts into a field.
  bool contains(FactId fact, FieldId field) const { return facts_.contains({fact, field}); }

 private:
  std::set<std::pair<FactId, FieldId>> facts_;
};

}  // namespace xfer::analyzer
