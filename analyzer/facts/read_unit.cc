#include "analyzer/facts/read_unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

#include "analyzer/facts/deciders.h"
#include "analyzer/facts/declared_names.h"
#include "analyzer/facts/device_code.h"
#include "analyzer/facts/globals.h"
#include "analyzer/facts/guards.h"
#include "analyzer/facts/linkage.h"
#include "analyzer/facts/reader.h"
#include "analyzer/facts/settings.h"
#include "analyzer/facts/unit_walk.h"

namespace xfer::analyzer {
namespace {

/// The host and devices may follow what the call allocates, or registers.
bool gives_shared_memory(const Call& call) {
  const FunctionModel* model = call.model;
  if (model == nullptr) return false;
  return model->kind == CallKind::kAllocate ? model->result == Placement::kUnknown : model->pins;
}

/// Every function and every variable of the traversal scope that is written outside system headers:
/// instances of templates and lambdas too.
class Written : public UnitWalk {
 public:
  Written(clang::ASTContext& context, std::function<void(const clang::FunctionDecl&)> found,
          std::function<void(const clang::VarDecl&)> found_variable)
      : UnitWalk(context), found_(std::move(found)), found_variable_(std::move(found_variable)) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->isThisDeclarationADefinition() && function->hasBody() &&
        !function->isDependentContext() && (runs_on_host(*function) || is_shared_kernel(*function)))
      found_(*function);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    found_variable_(*variable);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    if (const clang::CXXMethodDecl* call = lambda->getCallOperator();
        call != nullptr && !call->isDependentContext() && call->hasBody() && runs_on_host(*call))
      found_(*call);
    return true;
  }

 private:
  /// Other units may launch it.
  static bool is_shared_kernel(const clang::FunctionDecl& function) {
    return function.hasAttr<clang::CUDAGlobalAttr>() && function.isExternallyVisible();
  }

  std::function<void(const clang::FunctionDecl&)> found_;
  std::function<void(const clang::VarDecl&)> found_variable_;
};

/// Does the unit declare a function that copies memory? Elsewhere pointers to data are nobody's
/// business but the host's.
bool copies_memory(clang::ASTContext& context, const ModelSet& models) {
  return std::ranges::any_of(models.functions(), [&](const FunctionModel& row) {
    return row.kind == CallKind::kCopy && declares(context, row.name);
  });
}

/// Does the unit see a framework for tests?
bool sees_tests(clang::ASTContext& context, const ModelSet& models) {
  return std::ranges::any_of(models.types(), [&](const TypeModel& row) {
    return row.role == TypeRole::kTest && declares(context, row.name);
  });
}

class UnitReader {
 public:
  UnitReader(clang::ASTContext& context, const ModelSet& models, const ReadOptions& options)
      : context_(context),
        models_(models),
        options_(options),
        types_(models, copies_memory(context, models)),
        unreadable_(context.getSourceManager(), context.getLangOpts(), options.errors),
        declarations_(context, models, types_, unreadable_, options.root, unit_),
        spots_(context, unit_),
        field_sizes_(context, types_) {}

  Unit read() {
    unit_.follows_memory = types_.follows_memory();
    unit_.tests = sees_tests(context_, models_);
    unit_.folder = LinkNames(context_, options_.root).main_folder();
    std::vector<const clang::VarDecl*> globals;
    Written written(
        context_,
        [&](const clang::FunctionDecl& function) {
          const FunctionId id = declarations_.of(&function);
          if (!function.hasAttr<clang::CUDAGlobalAttr>()) unit_.order.push_back(id);
        },
        [&](const clang::VarDecl& variable) {
          if (runs_before_main(variable, types_)) globals.push_back(&variable);
        });
    written.walk();
    if (!globals.empty()) read(globals);
    declarations_.describe_stand_ins();
    for (;;) {
      const std::vector<const clang::FunctionDecl*> bodies = declarations_.describe();
      if (bodies.empty()) break;
      for (const clang::FunctionDecl* function : bodies) read(*function);
    }
    // Constructors that the compiler wrote: nobody finds them where they stand.
    const std::set<FunctionId> found(unit_.order.begin(), unit_.order.end());
    for (const Class& known : unit_.classes)
      for (const FunctionId constructor : known.constructors)
        if (unit_[constructor].facts != nullptr && !found.contains(constructor))
          unit_.order.push_back(constructor);
    // A device that another function sets may be current when this one is called, or goes on.
    for (Function& function : unit_.functions)
      function.current_device_changes |=
          set_current_.size() > 1 || (set_current_.size() == 1 && set_current_[0] != &function);
    // A scope that says otherwise may be around any call.
    unit_.default_place = default_place_changes_ ? Device::unknown() : Device::cpu();
    for (const Annotations::Fault& fault : types_.annotations().faults()) {
      const Spot at = spots_.of(fault.at);
      Note note;
      note.location = {unit_[at.file].name, at.line, at.column, {}};
      note.message = "xfer annotation: " + fault.what;
      unit_.faults.push_back(std::move(note));
    }
    unit_.annotated = types_.annotations().take_rows();
    return std::move(unit_);
  }

 private:
  void read(const std::vector<const clang::VarDecl*>& globals) {
    const FunctionId id(unit_.functions.size());
    Function& made = unit_.functions.emplace_back();
    made.qualified_name = "what globals are made with";
    made.defined = true;
    made.in_scope = true;
    made.facts = std::make_unique<FunctionFacts>();
    Reader reader({context_, models_, types_, unreadable_, declarations_, spots_, field_sizes_,
                   quiet_, clocks_, streams_},
                  *made.facts);
    reader.read_initialisers(globals, id);
    unit_.order.push_back(id);
  }

  void read(const clang::FunctionDecl& function) {
    const GuardUses guards = find_guards(function, types_);
    default_place_changes_ |= guards.default_place;
    Function& of = unit_.functions[declarations_.of(&function).number()];
    of.device_too = runs_on_device(function);
    of.current_device_changes = guards.unfollowed;
    if (guards.current_device) set_current_.push_back(&of);
    auto facts = std::make_unique<FunctionFacts>();
    Reader reader({context_, models_, types_, unreadable_, declarations_, spots_, field_sizes_,
                   quiet_, clocks_, streams_},
                  *facts);
    if (!reader.read(function, options_.block_cap)) return;
    unit_.peers |= unit_.follows_memory && std::ranges::any_of(facts->calls, [](const Call& call) {
                     return call.name.ends_with("EnablePeerAccess");
                   });
    unit_.shares_memory |= std::ranges::any_of(facts->calls, gives_shared_memory);
    of.facts = std::move(facts);
    of.deciding = deciders_of(function, types_);
    for (GivenField& set : settings_of(function, types_))
      if (const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(set.field->getParent()))
        of.settings.push_back({declarations_.of(owner), set.field->getNameAsString(), set.given});
    of.in_scope = !options_.scope || options_.scope(function);
  }

  clang::ASTContext& context_;
  const ModelSet& models_;
  const ReadOptions& options_;
  Unit unit_;
  Types types_;
  Unreadable unreadable_;
  Declarations declarations_;
  Spots spots_;
  FieldSizes field_sizes_;
  QuietFunctions quiet_;
  Clocks clocks_{types_};
  StreamTools streams_{context_, types_};
  std::vector<const Function*> set_current_;  ///< these set the current CUDA device
  bool default_place_changes_ = false;
};

}  // namespace

Unit read_unit(clang::ASTContext& context, const ModelSet& models, const ReadOptions& options) {
  return UnitReader(context, models, options).read();
}

}  // namespace xfer::analyzer
