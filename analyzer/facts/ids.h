#pragma once
// Numbers that name things. Each kind of thing has a type of number of its own, so that a field is
// never taken for a class.

#include <compare>
#include <cstddef>
#include <cstdint>

namespace xfer::analyzer {

/// The number `none` names nothing; it is what an id is until it is given one.
template <class Tag, std::uint32_t none = 0>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t number) : number_(static_cast<std::uint32_t>(number)) {}

  constexpr std::uint32_t number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != none; }
  constexpr Id& operator++() {
    ++number_;
    return *this;
  }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t number_ = none;
};

/// Of things that are counted from 0.
template <class Tag>
using IdFromZero = Id<Tag, ~std::uint32_t{0}>;

// Of a program.
using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;
using FileId = Id<struct FileTag>;
using FieldId = IdFromZero<struct FieldTag>;

// Of a function.
using VariableId = IdFromZero<struct VariableTag>;
using BlockId = IdFromZero<struct BlockTag>;
using CallId = IdFromZero<struct CallTag>;
using FactId = Id<struct FactTag>;
using PlaceId = Id<struct PlaceTag>;
using SpotId = Id<struct SpotTag>;    ///< a source range
using ValueId = Id<struct ValueTag>;  ///< the value of an expression

inline constexpr BlockId kNoBlock;

}  // namespace xfer::analyzer
