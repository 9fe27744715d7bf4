#pragma once
// Devices and objects of a function in terms of what its callers give it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/state.h"
#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

class CallersTerms {
 public:
  CallersTerms(const Unit& unit, const OriginTable& origins, const SymbolTable& symbols)
      : unit_(unit), origins_(origins), symbols_(symbols) {}

  DeviceTerm of(Device device);
  /// The field of a parameter that an object was found in; none: it is no parameter's. Empty: the
  /// parameter itself.
  std::optional<std::string> path_to(ObjectId id, std::uint32_t& parameter) const;
  std::uint32_t choice_of(SymbolId symbol);
  /// Some device was told that the function itself chose.
  bool told_choices() const { return !numbers_.empty(); }

 private:
  std::optional<DeviceTerm> where_of_all(const Symbol& symbol);
  std::optional<std::string> path_of(const Symbol& symbol, std::uint32_t& parameter) const;
  std::optional<std::string> joined(std::optional<std::string> path, FieldId field) const;

  const Unit& unit_;
  const OriginTable& origins_;
  const SymbolTable& symbols_;
  std::map<SymbolId, std::uint32_t> numbers_;  ///< of the choices, by their first mention
};

}  // namespace xfer::analyzer
