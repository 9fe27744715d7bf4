// Modules that every method which changes them, or the device that their class has for them, leaves
// on that device: `load()` makes the model and moves it, `predict()` finds it there.

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "analyzer/engine.h"
#include "analyzer/facts_reader.h"

namespace xfer::analyzer {
namespace {

/// An object of the class holds no module there until somebody gives it one.
bool starts_empty(const clang::FieldDecl& field, Types& types) {
  const clang::Expr* init =
      field.hasInClassInitializer() ? strip(field.getInClassInitializer()) : nullptr;
  if (init != nullptr && !is_made_of_nothing(init)) return is_null(init);
  return analyzer::starts_empty(field.getType(), types);
}

/// At the end of a method the module is where the device says.
bool agree(const Summary& end, const clang::FieldDecl& module, const clang::FieldDecl& device) {
  const FieldHeld* held = find(end, module);
  const FieldHeld* said = find(end, device);
  if (held == nullptr) return said == nullptr;
  if (held->where.kind == Where::Kind::kUnknown) return false;
  if (said != nullptr) return held->where == said->where;
  const Where& where = held->where;
  return where.kind == Where::Kind::kParameter && where.parameter == kThisParameter &&
         where.path == device.getName();
}

}  // namespace

/// All that may change the field is in this unit: a header's public fields are any unit's to
/// change.
bool Engine::seen(const clang::FieldDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  const bool local = context_.getSourceManager().isWrittenInMainFile(field.getLocation());
  return record != nullptr && (local || field.getAccess() != clang::AS_public) &&
         bodies_seen(*record) && !scan_.changes(field).otherwise;
}

/// A function that says where the field is has not been analysed to its end.
bool Engine::decided_now(const clang::FieldDecl& field) {
  const auto open = [&](const clang::FunctionDecl* function) {
    const clang::FunctionDecl* body = nullptr;
    if (!function->hasBody(body)) return false;
    const auto summary = summaries_.find(body);
    return summary != summaries_.end() && summary->second == nullptr;
  };
  const auto methods = scan_.changes(field).methods;
  const auto* record = llvm::cast<clang::CXXRecordDecl>(field.getParent());
  return std::any_of(methods.begin(), methods.end(), open) ||
         std::any_of(record->ctor_begin(), record->ctor_end(), open);
}

/// What constructors and methods leave there passes; of the constructors also where they need not
/// say it.
bool Engine::all_leave(const clang::FieldDecl& module, const Methods& methods,
                       const std::function<bool(const Summary&, bool constructor)>& passes) {
  const auto* record = llvm::cast<clang::CXXRecordDecl>(module.getParent());
  if (scan_.changes(module).constructed || !starts_empty(module, types_)) {
    if (record->ctor_begin() == record->ctor_end()) return false;
    for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
      if (constructor->isCopyOrMoveConstructor() || constructor->isDeleted()) continue;
      const Summary& made = summary_of(*constructor);
      if (!made.known || !passes(made, true)) return false;
    }
  }
  return std::all_of(methods.begin(), methods.end(), [&](const clang::FunctionDecl* method) {
    const Summary& end = summary_of(*method);
    return end.known && passes(end, false);
  });
}

bool Engine::keeps(const clang::FieldDecl& module, const clang::FieldDecl& device) {
  auto methods = scan_.changes(module).methods;
  const auto choosing = scan_.changes(device).methods;
  methods.insert(choosing.begin(), choosing.end());
  return all_leave(module, methods, [&](const Summary& end, bool constructor) {
    if (!constructor) return agree(end, module, device);
    const FieldHeld* held = find(end, module);
    const FieldHeld* said = find(end, device);
    return held != nullptr && said != nullptr && held->where == said->where;
  });
}

/// The CUDA device that all who change the module leave it on; none: another place, or several.
std::optional<Device> Engine::always_on(const clang::FieldDecl& module) {
  std::optional<Device> place;
  const bool one =
      all_leave(module, scan_.changes(module).methods, [&](const Summary& end, bool constructor) {
        const FieldHeld* held = find(end, module);
        if (held == nullptr) return !constructor;
        if (held->where.kind != Where::Kind::kDevice || (place && !(*place == held->where.device)))
          return false;
        place = held->where.device;
        return true;
      });
  return one && place && place->is_cuda() ? place : std::nullopt;
}

/// Null: the module may be anywhere, or one of those that decide is being analysed.
const SettledField* Engine::kept(const clang::FieldDecl& module) {
  if (types_.of(module.getType()).role != Role::kModule) return nullptr;
  const auto known = kept_.find(module.getCanonicalDecl());
  if (known != kept_.end()) return known->second.field == nullptr ? nullptr : &known->second;
  SettledField entry;
  const auto* record = llvm::cast<clang::CXXRecordDecl>(module.getParent());
  const bool candidate = seen(module) && !scan_.changes(module).methods.empty();
  for (const clang::FieldDecl* device : record->fields()) {
    if (!candidate || types_.of(device->getType()).role != Role::kDevice || !seen(*device))
      continue;
    if (decided_now(module) || decided_now(*device)) return nullptr;
    if (!keeps(module, *device)) continue;
    entry.field = module.getCanonicalDecl();
    entry.as = device->getCanonicalDecl();
    entry.changes = true;
    break;
  }
  if (candidate && entry.field == nullptr) {
    if (decided_now(module)) return nullptr;
    entry.device = always_on(module);
    if (entry.device) {
      entry.field = entry.as = module.getCanonicalDecl();
      entry.may_cuda = entry.changes = true;
    }
  }
  const SettledField& result = kept_[module.getCanonicalDecl()] = entry;
  return result.field == nullptr ? nullptr : &result;
}

}  // namespace xfer::analyzer
