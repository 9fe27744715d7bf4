#pragma once
// What a unit's functions do with the members of module classes that are not registered, and which
// module classes are moved: gathered function by function, judged when the unit is read, with what
// other units do to the same classes.

#include <llvm/ADT/DenseSet.h>

#include <map>
#include <set>
#include <string>

#include "analyzer/facts.h"
#include "analyzer/summary_set.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

class LinkNames;

struct MemberFacts {
  std::string name;
  bool module = false;
  bool made_on_cpu = false;  ///< a constructor gives it a new value on the CPU
  bool scalar = true;        ///< that value has, or may have, no dimensions
  Location made;
  MemberUses uses;
};

struct ModuleMembers {
  std::map<const clang::FieldDecl*, MemberFacts> members;
  std::map<const clang::CXXRecordDecl*, Location> moved;
  std::set<const clang::CXXRecordDecl*> classes;  ///< of which the unit has a method's body
  /// Methods without a body here that another unit has looked at.
  llvm::DenseSet<const clang::CXXMethodDecl*> seen_elsewhere;
};

/// The classes that are moved, their bases, and the modules that are their members: what moves
/// along.
std::map<const clang::CXXRecordDecl*, Location> all_moved(const ModuleMembers& unit, Types& types);

/// Adds what the other units should know of the classes of this one, and names the classes and
/// methods of which this one has to know more.
void export_members(const ModuleMembers& unit, Types& types, LinkNames& links,
                    UnitSummaries& summaries);

/// Adds what other units do with the classes of this one.
void import_members(const SummarySet& others, LinkNames& links, ModuleMembers& unit);

}  // namespace xfer::analyzer
