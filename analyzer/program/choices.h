#pragma once
// Whether what decides about a device may differ from run to run. `Agent agent(false)` settles what
// the constructor's parameter decides; `Agent agent(argc > 1)` leaves it open.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

/// For whom a choice is none.
enum class Settled : std::uint8_t { kByNobody, kBySome, kByAll };

class Choices {
 public:
  /// Of a program; null units are none.
  explicit Choices(std::vector<const Unit*> units);

  /// Whether one of what decides in the function is the same in every run, and does not leave the
  /// choice to the run: `use_gpu && is_available()` where all give true does.
  Settled settled(std::size_t unit, FunctionId function, const Deciders& deciders) const;
  /// The side that all runs pick; kUnknown: nobody can tell, or they pick several.
  Pick::Side picked(std::size_t unit, FunctionId function, const Deciders& deciders) const;

 private:
  /// A parameter, or a field: `parameter` is kThisParameter then.
  struct Decider {
    std::string of;
    std::uint32_t parameter;

    friend auto operator<=>(const Decider&, const Decider&) = default;
  };
  /// A function gives a value.
  struct Giving {
    std::size_t unit;
    FunctionId function;
    const GivenValue* value;
  };
  struct CallSite {
    std::size_t unit;
    FunctionId caller;
    const Call* call;
  };

  /// The decider that a choice rests on, and which value of it leaves the choice to the run.
  struct Rest {
    Decider on;
    Leaves leaves;
  };
  /// The values that a flag or a number may have.
  struct Values {
    std::set<std::int64_t> numbers;
    bool other = false;   ///< the same in every run, and no number
    bool unseen = false;  ///< calls that nobody sees may give it

    void add(const Values& more) {
      numbers.insert(more.numbers.begin(), more.numbers.end());
      other |= more.other;
      unseen |= more.unseen;
    }
    /// How all of them pass; none: they do not agree, or not all are known.
    std::optional<bool> pass(const Test& test) const;
    bool leave_open(Leaves leaves) const {
      const std::optional<bool> flag = pass({});
      return flag && leaves == left_by(*flag);
    }

    friend bool operator==(const Values&, const Values&) = default;
  };

  std::string name(std::size_t unit, FunctionId function) const;
  void look_at(std::size_t unit, FunctionId function);
  std::vector<Rest> rests(std::size_t unit, FunctionId function, const Deciders& deciders) const;
  std::vector<Giving> given(const Decider& decider) const;
  static bool varies(const Decider& decider, const std::vector<Giving>& givings);
  void settle(std::vector<Decider> pending);
  void find_values();
  bool some_settle(const Rest& rest) const;
  Values values(const Giving& giving) const;

  std::vector<const Unit*> units_;
  std::unordered_map<std::string, std::vector<CallSite>> calls_;  ///< by callee
  std::map<Decider, std::vector<Giving>> settings_;               ///< of fields
  std::set<std::string> overridable_;  ///< methods that calls may run which do not name them
  std::set<Decider> varying_;          ///< fields that the run gives one of several values
  std::set<Decider> settled_;          ///< the same in every run, whoever gives it
  std::map<Decider, Values> values_;   ///< of all: what is given that is the same in every run
};

}  // namespace xfer::analyzer
