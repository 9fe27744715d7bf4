#pragma once
// Uses of the unregistered members of module classes by a unit's functions, and the module classes
// that are moved: gathered function by function, judged when the unit is read, with what other
// units do to the same classes.

#include <map>
#include <set>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/program/summary_set.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

struct MemberFacts {
  std::string name;
  bool module = false;
  bool made_on_cpu = false;  ///< a constructor gives it a new value on the CPU
  bool scalar = true;        ///< that value has, or may have, no dimensions
  Location made;
  MemberUses uses;
};

struct ModuleMembers {
  std::map<FieldId, MemberFacts> members;
  std::map<ClassId, Location> moved;
  std::set<ClassId> classes;  ///< of which the unit has a method's body
  /// Methods without a body here that another unit has looked at.
  std::set<FunctionId> seen_elsewhere;
};

/// The classes that are moved, their bases, and the modules that are their members: what moves
/// along.
std::map<ClassId, Location> all_moved(const ModuleMembers& members, const Unit& unit);

/// Adds what the other units should know of the classes of this one, and names the classes and
/// methods of which this one has to know more.
void export_members(const ModuleMembers& members, const Unit& unit, UnitSummaries& summaries);

/// Adds what other units do with the classes of this one.
void import_members(const SummarySet& others, const Unit& unit, ModuleMembers& members);

/// Of a unit that did not parse whole: some function may do more with its class's members than is
/// left.
void forget_members(UnitSummaries& summaries);

}  // namespace xfer::analyzer
