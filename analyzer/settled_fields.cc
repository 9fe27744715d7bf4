// Fields that keep what their constructors gave them: where they are in every method.

#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "analyzer/engine.h"

namespace xfer::analyzer {
namespace {

bool may_cuda(const Where& where) {
  return where.kind == Where::Kind::kParameter ||
         (where.kind == Where::Kind::kDevice && where.device.is_cuda()) ||
         (where.kind == Where::Kind::kChoice && where.may_cuda);
}

}  // namespace

const FieldHeld* find(const Summary& summary, const clang::FieldDecl& field) {
  const auto held =
      std::find_if(summary.fields.begin(), summary.fields.end(),
                   [&](const FieldHeld& other) { return other.field == field.getName(); });
  return held == summary.fields.end() ? nullptr : &*held;
}

bool bodies_seen(const clang::CXXRecordDecl& record) {
  return std::all_of(
      record.method_begin(), record.method_end(), [](const clang::CXXMethodDecl* method) {
        // A member of a template that nothing here calls has no body: that of the template.
        const clang::FunctionDecl* pattern = method->getTemplateInstantiationPattern();
        return method->isImplicit() || method->isDefaulted() || method->isDeleted() ||
               method->isPureVirtual() || method->isConst() || method->isStatic() ||
               llvm::isa<clang::CXXConstructorDecl>(method) || method->hasBody() ||
               (pattern != nullptr && pattern->hasBody());
      });
}

const SettledField* Engine::settled(const clang::FieldDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (record == nullptr || types_.in_library(*record)) return nullptr;
  auto known = settled_.find(record);
  if (known == settled_.end()) {
    // While a constructor is being analysed, nothing is settled for what it calls.
    if (constructing(*record)) return nullptr;
    std::vector<SettledField> fields = settle(*record);
    known = settled_.try_emplace(record, std::move(fields)).first;
  }
  for (const SettledField& settled : known->second)
    if (settled.field == field.getCanonicalDecl()) return &settled;
  return kept(field);
}

bool Engine::constructing(const clang::CXXRecordDecl& record) const {
  return std::any_of(record.ctor_begin(), record.ctor_end(),
                     [&](const clang::CXXConstructorDecl* constructor) {
                       const clang::FunctionDecl* body = nullptr;
                       if (!constructor->hasBody(body)) return false;
                       const auto open = summaries_.find(body);
                       return open != summaries_.end() && open->second == nullptr;
                     });
}

/// A container that nothing but the constructors makes: what it is made of does not change,
/// wherever it is moved.
Strict Engine::strict(const clang::FieldDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (record == nullptr || types_.in_library(*record) || constructing(*record) ||
      !bodies_seen(*record) || scan_.changes(field).replaced)
    return Strict::kUnknown;
  bool strict = false;
  for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
    if (constructor->isCopyOrMoveConstructor() || constructor->isDeleted()) continue;
    const auto& fields = summary_of(*constructor).strict_fields;
    strict = std::find(fields.begin(), fields.end(), field.getName()) != fields.end();
    if (!strict) break;
  }
  return strict ? Strict::kYes : Strict::kUnknown;
}

std::vector<SettledField> Engine::settle(const clang::CXXRecordDecl& record) {
  std::vector<const Summary*> constructors;
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (constructor->isCopyOrMoveConstructor() || constructor->isDeleted()) continue;
    if (constructor->isDefaultConstructor() && !constructor->isUserProvided()) return {};
    const Summary& made = summary_of(*constructor);
    if (!made.known) return {};
    constructors.push_back(&made);
  }
  if (constructors.empty() || !bodies_seen(record)) return {};
  // A header's public fields are any unit's to change.
  const bool local = context_.getSourceManager().isWrittenInMainFile(record.getLocation());
  const auto always = [&](auto&& holds) {
    return std::all_of(constructors.begin(), constructors.end(), holds);
  };

  // Devices first: other fields are told by them.
  std::vector<const clang::FieldDecl*> fields;
  for (const clang::FieldDecl* field : record.fields())
    if (scan_.settled(*field) && (local || field->getAccess() != clang::AS_public) &&
        types_.of(field->getType()).role != Role::kNone &&
        always([&](const Summary* made) { return find(*made, *field) != nullptr; }))
      fields.push_back(field->getCanonicalDecl());
  std::stable_partition(fields.begin(), fields.end(), [&](const clang::FieldDecl* field) {
    return types_.of(field->getType()).role == Role::kDevice;
  });

  std::vector<SettledField> settled;
  for (const clang::FieldDecl* field : fields) {
    SettledField entry;
    entry.field = entry.as = field;
    entry.rank = find(*constructors.front(), *field)->rank;
    if (!always([&](const Summary* made) { return find(*made, *field)->rank == entry.rank; }))
      entry.rank = Rank::kUnknown;
    const Where& first = find(*constructors.front(), *field)->where;
    if (first.kind == Where::Kind::kDevice &&
        always([&](const Summary* made) { return find(*made, *field)->where == first; }))
      entry.device = first.device;
    // What a module leaves on the CPU without registering it is unregistered-tensor's to judge.
    if (entry.device && entry.device->is_cpu() && types_.is_module(record)) continue;
    entry.may_cuda =
        std::any_of(constructors.begin(), constructors.end(),
                    [&](const Summary* made) { return may_cuda(find(*made, *field)->where); });
    for (const SettledField& before : settled)
      if (always([&](const Summary* made) {
            return find(*made, *before.field)->where == find(*made, *field)->where;
          })) {
        entry.as = before.as;
        break;
      }
    // What several constructors put in different places is somewhere.
    const bool told = entry.device || entry.as != entry.field || constructors.size() == 1;
    if (told || types_.of(field->getType()).role == Role::kDevice) settled.push_back(entry);
  }
  return settled;
}

}  // namespace xfer::analyzer
