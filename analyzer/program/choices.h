#pragma once
// Whether what decides about a device may differ from run to run. `Agent agent(false)` settles what
// the constructor's parameter decides; `Agent agent(argc > 1)` leaves it open.

#include <compare>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

class Choices {
 public:
  /// Of a program; null units are none.
  explicit Choices(std::vector<const Unit*> units);

  /// One of what decides in the function is the same in every run, and does not leave the choice to
  /// the run: `use_gpu && is_available()` where all give true does.
  bool settled(std::size_t unit, FunctionId function, const Deciders& deciders) const;

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

  /// What a choice rests on, and which value of it leaves the choice to the run.
  struct Rest {
    Decider on;
    Leaves leaves;
  };
  /// What a flag may be.
  struct Values {
    bool is_true = false, is_false = false, other = false;

    void add(Values more) {
      is_true |= more.is_true;
      is_false |= more.is_false;
      other |= more.other;
    }
    bool leave_open(Leaves leaves) const {
      return !other && is_true != is_false && leaves == left_by(is_true);
    }

    friend bool operator==(const Values&, const Values&) = default;
  };

  std::string name(std::size_t unit, FunctionId function) const;
  void look_at(std::size_t unit, FunctionId function);
  std::vector<Rest> rests(std::size_t unit, FunctionId function, const Deciders& deciders) const;
  std::vector<Giving> given(const Decider& decider) const;
  void settle(std::vector<Decider> pending);
  void find_values();
  Values values(const Giving& giving) const;

  std::vector<const Unit*> units_;
  std::unordered_map<std::string, std::vector<CallSite>> calls_;  ///< by callee
  std::map<Decider, std::vector<Giving>> settings_;               ///< of fields
  std::set<std::string> overridable_;  ///< methods that calls may run which do not name them
  std::map<Decider, Values> settled_;
};

}  // namespace xfer::analyzer
