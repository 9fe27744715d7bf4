#pragma once
// Holders of values that outlast one run of a function, or that bring a value into one: through
// them the functions of a program hand values to each other.

#include <compare>
#include <cstdint>

#include "analyzer/facts/ids.h"

namespace xfer::analyzer {

struct Holder {
  enum class Kind : std::uint8_t {
    kParameter,  ///< `number` of `function`: what its calls give, before it runs
    kResult,     ///< what `function` returns
    kLeft,       ///< what `function` leaves in what it is given as parameter `number`
    kField,      ///< field `number`, of any object of its class
  };
  Kind kind = Kind::kParameter;
  FunctionId function;
  std::uint32_t number = 0;

  FieldId field_id() const { return FieldId(number); }  ///< of kField

  static Holder parameter(FunctionId function, std::uint32_t number) {
    return {Kind::kParameter, function, number};
  }
  static Holder result(FunctionId function) { return {Kind::kResult, function, 0}; }
  static Holder left(FunctionId function, std::uint32_t number) {
    return {Kind::kLeft, function, number};
  }
  static Holder field(FieldId field) { return {Kind::kField, {}, field.number()}; }

  friend auto operator<=>(const Holder&, const Holder&) = default;
};

}  // namespace xfer::analyzer
