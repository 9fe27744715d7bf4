#pragma once
// Modules that several holders have, by what one function does: what moves one of them for one
// holder moves it for all.

#include <map>
#include <optional>
#include <set>

#include "analyzer/flow/events.h"
#include "analyzer/program/function_view.h"

namespace xfer::analyzer {

class SharedModules {
 public:
  SharedModules(const FunctionView& function, const Events& events, const State& exit);

  /// The holders of each module that has several.
  const std::map<ObjectId, std::set<Holder>>& all() const { return holders_; }

 private:
  void add(ObjectId id, const Object& object, const Holder& holder);
  std::optional<Holder> before(ObjectId id, const Object& object) const;

  const FunctionView& function_;
  std::map<ObjectId, std::set<Holder>> holders_;
};

}  // namespace xfer::analyzer
