#pragma once
// The inputs on which a function's choice of a device rests, and the values callers give for them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace xfer::analyzer {

/// The number of the object as a parameter.
inline constexpr std::uint32_t kThisParameter = ~0U;

/// The value of a flag that leaves a choice to the run, where the other one settles it: of
/// `use_gpu && torch::cuda::is_available()` it is true.
enum class Leaves : std::uint8_t { kNothing, kIfTrue, kIfFalse };

/// The choices that a flag of this value leaves to the run.
inline Leaves left_by(bool flag) { return flag ? Leaves::kIfTrue : Leaves::kIfFalse; }

/// `gpu >= 0`, `use_gpu`: a flag or a number beside a constant.
struct Test {
  enum class Kind : std::uint8_t { kTrue, kEqual, kUnequal, kLess, kMost, kGreater, kLeast };
  Kind kind = Kind::kTrue;
  std::int64_t with = 0;

  bool holds(std::int64_t number) const {
    switch (kind) {
      case Kind::kTrue: return number != 0;
      case Kind::kEqual: return number == with;
      case Kind::kUnequal: return number != with;
      case Kind::kLess: return number < with;
      case Kind::kMost: return number <= with;
      case Kind::kGreater: return number > with;
      case Kind::kLeast: return number >= with;
    }
    return false;
  }
  friend bool operator==(const Test&, const Test&) = default;
};

/// The only choice between devices that a function makes, by one thing that it gets.
struct Pick {
  enum class Side : std::uint8_t { kUnknown, kCpu, kCuda };
  Test test;
  Side if_true = Side::kUnknown;
  Side if_false = Side::kUnknown;

  friend bool operator==(const Pick&, const Pick&) = default;
};

/// The inputs of a function, parameters and fields, on which something in it rests.
struct Deciders {
  std::map<std::uint32_t, Leaves> parameters;  ///< kThisParameter: its object
  std::map<std::string, Leaves> fields;        ///< of its object, as far as they are told apart
  std::optional<Pick> pick;                    ///< by the one of these that there is

  bool empty() const { return parameters.empty() && fields.empty(); }
  void add_parameter(std::uint32_t number, Leaves leaves = Leaves::kNothing) {
    add(parameters, number, leaves);
  }
  void add_field(const std::string& name, Leaves leaves = Leaves::kNothing) {
    add(fields, name, leaves);
  }
  void add(const Deciders& others) {
    if (!others.empty() && !(*this == others)) pick.reset();
    for (const auto& [number, leaves] : others.parameters) add_parameter(number, leaves);
    for (const auto& [name, leaves] : others.fields) add_field(name, leaves);
  }
  /// These, where one value of them leaves a choice to the run.
  Deciders leaving(Leaves leaves) const {
    Deciders same = *this;
    for (auto& [number, left] : same.parameters) left = leaves;
    for (auto& [name, left] : same.fields) left = leaves;
    return same;
  }

  friend bool operator==(const Deciders&, const Deciders&) = default;

 private:
  /// Of two choices that different values leave to the run, every value settles one.
  template <class Key>
  static void add(std::map<Key, Leaves>& to, const Key& key, Leaves leaves) {
    Leaves& known = to.try_emplace(key, leaves).first->second;
    if (known != leaves) known = Leaves::kNothing;
  }
};

/// The value that a call gives for one parameter of its callee, or an assignment for a field.
struct GivenValue {
  bool settled = false;                ///< the same in every run
  std::optional<std::int64_t> number;  ///< settled: the number or flag that it is, if it is one
  bool as_is = false;                  ///< it is what it rests on, and nothing is made of it
  Deciders rests_on;                   ///< of the function that gives it

  bool leaves_open(Leaves leaves) const { return number && leaves == left_by(*number != 0); }
};

}  // namespace xfer::analyzer
