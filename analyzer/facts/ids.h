#pragma once
// Numbers that name things. Each kind of thing has a type of number of its own, so that a field is
// never taken for a class.

#include <compare>
#include <cstddef>
#include <cstdint>

namespace xfer::analyzer {

/// 0 names nothing.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t number) : number_(static_cast<std::uint32_t>(number)) {}

  constexpr std::uint32_t number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != 0; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t number_ = 0;
};

using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;
using FileId = Id<struct FileTag>;

using VariableId = std::uint32_t;
using FieldId = std::uint32_t;
using ValueId = std::uint32_t;  ///< the value of an expression; 0: none
using FactId = std::uint32_t;
using SpotId = std::uint32_t;  ///< a source range; 0: none
using BlockId = std::uint32_t;
using PlaceId = std::uint32_t;  ///< 0: none
using CallId = std::uint32_t;

inline constexpr BlockId kNoBlock = ~BlockId{0};

}  // namespace xfer::analyzer
