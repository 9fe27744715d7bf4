#pragma once
// What a unit's functions do with the members of module classes that are not registered, and which module
// classes are moved: gathered function by function, judged when the unit is read.

#include <map>
#include <set>

#include "analyzer/facts.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

struct MemberFacts {
  std::string name;
  bool module = false;
  bool made_on_cpu = false;   ///< a constructor gives it a new value on the CPU
  bool scalar = true;         ///< that value has, or may have, no dimensions
  bool changed = false;       ///< something else assigns it, moves it or hands it on
  bool used = false;          ///< a method uses it together with its input
  bool used_where_scalars_may_be = true;  ///< only where a CPU scalar is allowed
  Location made, use;
  std::string method;
};

struct ModuleMembers {
  std::map<const clang::FieldDecl*, MemberFacts> members;
  std::map<const clang::CXXRecordDecl*, Location> moved;
};

}  // namespace xfer::analyzer
