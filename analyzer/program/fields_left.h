#pragma once
// The values that a function leaves in the objects that its callers give it.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/flow.h"
#include "analyzer/program/callers_terms.h"
#include "analyzer/program/function_view.h"
#include "analyzer/program/memory_left.h"

namespace xfer::analyzer {

/// Where an object and all its parts are.
Device device_of_whole(const State& at, ObjectId id, unsigned depth = 0);

class FieldsLeft {
 public:
  FieldsLeft(const FunctionView& function, const Events& events, const Flow& flow,
             const MemoryLeft& memory, const State& exit, CallersTerms& terms)
      : function_(function),
        events_(events),
        flow_(flow),
        memory_(memory),
        exit_(exit),
        terms_(terms) {}

  /// In the fields of parameter `number`; none: of what it made itself.
  std::vector<FieldHeld> fields_of(ObjectId whole,
                                   std::optional<std::uint32_t> number = std::nullopt) const;
  /// The fields of a parameter that may hold something else, or something in which something may.
  FieldsChanged changed(std::uint32_t number, ObjectId whole) const;
  /// In an object that is a parameter.
  ObjectLeft object(std::uint32_t number, ObjectId id, bool escapes) const;

 private:
  /// The flow follows the variable, which is the same object at the end of all paths.
  bool stays(VariableId variable, ObjectId whole) const;
  bool held_by_others(std::pair<ObjectId, FieldId> by, ObjectId id) const;

  const FunctionView& function_;
  const Events& events_;
  const Flow& flow_;
  const MemoryLeft& memory_;
  const State& exit_;
  CallersTerms& terms_;
};

}  // namespace xfer::analyzer
