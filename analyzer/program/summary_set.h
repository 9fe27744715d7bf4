#pragma once
// Facts that units tell each other about their functions and classes. A set of summaries does not
// depend on the order in which units came; look-ups are safe from any thread once it is filled.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

/// A function that other units can call.
struct DefinedFunction {
  std::string name;  ///< as people write it
  Summary summary;

  friend bool operator==(const DefinedFunction&, const DefinedFunction&) = default;
};

/// Uses of an unregistered member of a module class.
struct MemberUses {
  bool changed = false;  ///< something besides the constructor assigns it, moves it or hands it on
  bool used = false;     ///< a method uses it together with its input
  bool used_where_scalars_may_be = true;  ///< only where a CPU scalar is allowed
  Location use;

  void add(const MemberUses& other);
  friend bool operator==(const MemberUses&, const MemberUses&) = default;
};

struct ClassUses {
  bool wanted = false;  ///< the unit has to know what others do with it
  std::map<std::string, MemberUses> members;
  std::optional<Location> moved;

  void add(const ClassUses& other);
  friend bool operator==(const ClassUses&, const ClassUses&) = default;
};

struct UnitSummaries {
  std::map<std::string, DefinedFunction> functions;  ///< by link name
  /// Of methods that override one of another class: by that one's identity, then by their own. A
  /// method that is not pure stands among its own.
  std::map<std::string, std::map<std::string, Summary>> overriders;
  std::set<std::string> virtual_calls;    ///< identities of the methods that they name
  std::set<std::string> calls;            ///< link names of what the unit calls and does not define
  std::map<ClassKey, ClassUses> classes;  ///< module classes

  friend bool operator==(const UnitSummaries&, const UnitSummaries&) = default;
};

class SummarySet {
 public:
  /// Where units define the same function differently (two programs may), nothing is known of it.
  void add(const UnitSummaries& unit);
  /// Null: no unit defines it, or nothing is known of it.
  const Summary* find(const std::string& link_name) const;
  /// The methods that a call that names the virtual method may run; null: none is known.
  const std::map<std::string, Summary>* overriders(const std::string& method) const;
  /// The uses of a class by all units; null: no unit says anything of it.
  const ClassUses* find(const ClassKey& key) const;

 private:
  std::map<std::string, std::map<std::string, Summary>> overriders_;
  std::map<std::string, Summary> functions_;
  std::map<ClassKey, ClassUses> classes_;
};

}  // namespace xfer::analyzer
