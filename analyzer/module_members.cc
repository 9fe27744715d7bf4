#include "analyzer/module_members.h"

#include <clang/AST/DeclCXX.h>

#include <optional>

#include "analyzer/linkage.h"

namespace xfer::analyzer {
namespace {

void add_moved(const clang::CXXRecordDecl* record, const Location& where, Types& types,
               std::map<const clang::CXXRecordDecl*, Location>& moved) {
  record = record == nullptr ? nullptr : record->getDefinition();
  if (record == nullptr || types.in_library(*record)) return;
  if (!moved.try_emplace(record->getCanonicalDecl(), where).second) return;
  for (const clang::CXXBaseSpecifier& base : record->bases())
    add_moved(base.getType()->getAsCXXRecordDecl(), where, types, moved);
  for (const clang::FieldDecl* field : record->fields()) {
    const TypeInfo type = types.of(field->getType());
    if (type.role == Role::kModule && types.is_registered(*field))
      add_moved(type.record, where, types, moved);
  }
}

const clang::CXXRecordDecl& class_of(const clang::FieldDecl& field) {
  return *llvm::cast<clang::CXXRecordDecl>(field.getParent());
}

}  // namespace

std::map<const clang::CXXRecordDecl*, Location> all_moved(const ModuleMembers& unit, Types& types) {
  std::map<const clang::CXXRecordDecl*, Location> moved;
  for (const auto& [record, where] : unit.moved) add_moved(record, where, types, moved);
  return moved;
}

void export_members(const ModuleMembers& unit, Types& types, LinkNames& links,
                    UnitSummaries& summaries) {
  for (const auto& [field, member] : unit.members) {
    const std::optional<ClassKey> key = links.of_class(class_of(*field));
    if (!key) continue;
    ClassUses& uses = summaries.classes[*key];
    uses.members[member.name] = member.uses;
    if (!member.made_on_cpu) continue;
    uses.wanted = true;
    for (const clang::CXXMethodDecl* method : class_of(*field).methods())
      if (!method->hasBody())
        if (std::string name = links.of_declaration(*method); !name.empty())
          summaries.calls.insert(std::move(name));
  }
  // What one unit registers is a part of its module for all of them.
  for (const clang::CXXRecordDecl* record : unit.classes)
    if (const std::optional<ClassKey> key = links.of_class(*record))
      for (const clang::FieldDecl* field : record->fields())
        if (types.is_registered(*field))
          summaries.classes[*key].members[field->getNameAsString()].changed = true;
  for (const auto& [record, where] : all_moved(unit, types))
    if (const std::optional<ClassKey> key = links.of_class(*record))
      summaries.classes[*key].moved = where;
}

void import_members(const SummarySet& others, LinkNames& links, ModuleMembers& unit) {
  for (auto& [field, member] : unit.members) {
    if (!member.made_on_cpu) continue;
    const clang::CXXRecordDecl& record = class_of(*field);
    for (const clang::CXXMethodDecl* method : record.methods())
      if (!method->hasBody() && others.find(links.of_declaration(*method)) != nullptr)
        unit.seen_elsewhere.insert(method->getCanonicalDecl());
    const std::optional<ClassKey> key = links.of_class(record);
    const ClassUses* uses = key ? others.find(*key) : nullptr;
    if (uses == nullptr) continue;
    if (const auto same = uses->members.find(member.name); same != uses->members.end())
      member.uses.add(same->second);
    if (uses->moved) unit.moved.try_emplace(record.getCanonicalDecl(), *uses->moved);
  }
}

}  // namespace xfer::analyzer
