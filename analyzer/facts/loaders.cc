#include "analyzer/facts/loaders.h"

#include <clang/AST/DeclTemplate.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/functions.h"

namespace xfer::analyzer {
namespace {

constexpr unsigned kMaxDatasets = 8;  ///< a dataset of a dataset of ...

llvm::SmallVector<const clang::CXXRecordDecl*, 4> class_arguments(
    const clang::CXXRecordDecl& record) {
  llvm::SmallVector<const clang::CXXRecordDecl*, 4> classes;
  if (const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record))
    for (const clang::TemplateArgument& argument : instance->getTemplateArgs().asArray())
      classes.push_back(argument.getKind() == clang::TemplateArgument::Type
                            ? argument.getAsType()->getAsCXXRecordDecl()
                            : nullptr);
  return classes;
}

const clang::CXXMethodDecl* own_method(const clang::CXXRecordDecl& record, llvm::StringRef name) {
  for (const clang::CXXMethodDecl* method : record.methods())
    if (method->getDeclName().getAsString() == name && !method->isImplicit()) return method;
  return nullptr;
}

/// Runs code that is not known before it runs.
bool keeps_function(const clang::CXXRecordDecl& record, Types& types) {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr) return true;
  for (const clang::FieldDecl* field : definition->fields())
    if (is_std_function(field->getType(), types)) return true;
  for (const clang::CXXBaseSpecifier& base : definition->bases())
    if (const auto* parent = base.getType()->getAsCXXRecordDecl())
      if (keeps_function(*parent, types)) return true;
  return false;
}

}  // namespace

Loaders::Dataset Loaders::dataset_of(clang::QualType loader) {
  const auto* record = loader.getNonReferenceType()->getAsCXXRecordDecl();
  const TypeModel* row = record == nullptr ? nullptr : types_.model(*record);
  if (row == nullptr || row->role != TypeRole::kLoader) return {};
  const auto arguments = class_arguments(*record);
  return {arguments.empty() ? nullptr : arguments.front(), row};
}

Loaders::Dataset Loaders::dataset_behind(const clang::Expr* iterator) {
  for (unsigned depth = 0; depth < 4 && iterator != nullptr; ++depth) {
    iterator = strip(iterator);
    if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(iterator)) {
      iterator = copy->getNumArgs() == 1 ? copy->getArg(0) : nullptr;
    } else if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(iterator)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      iterator = variable == nullptr || !variable->isLocalVarDecl() ? nullptr : variable->getInit();
    } else {
      const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(iterator);
      const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
      if (method == nullptr || method->getDeclName().getAsString() != "begin") return {};
      return dataset_of(call->getObjectType());
    }
  }
  return {};
}

std::optional<std::vector<BatchMaker>> Loaders::makers(Dataset dataset) {
  std::vector<BatchMaker> found;
  if (dataset.record == nullptr || !add_makers(dataset, found, 0)) return std::nullopt;
  return found;
}

bool Loaders::add_makers(Dataset from, std::vector<BatchMaker>& makers, unsigned depth) {
  const clang::CXXRecordDecl& dataset = *from.record;
  const FunctionModel* model = nullptr;
  for (const std::string& fetch : from.loader->fetch)
    if (model == nullptr)
      model = types_.models().find(types_.qualified_name(dataset) + "::" + fetch, 1);
  if (model == nullptr && types_.in_library(dataset)) return false;
  if (model == nullptr) {
    const clang::CXXRecordDecl* definition = dataset.getDefinition();
    const clang::CXXMethodDecl* get = nullptr;
    for (const std::string& fetch : from.loader->fetch)
      if (get == nullptr && definition != nullptr) get = own_method(*definition, fetch);
    if (get == nullptr) return false;
    // A function without a body here may have one in another unit.
    makers.push_back({declarations_.of(get), false});
    return true;
  }
  if (model->kind != CallKind::kPass) return model->result == Placement::kCpu;
  const auto arguments = class_arguments(dataset);
  if (arguments.empty() || arguments.front() == nullptr || depth == kMaxDatasets ||
      !add_makers({arguments.front(), from.loader}, makers, depth + 1))
    return false;
  for (const clang::CXXRecordDecl* transform : llvm::ArrayRef(arguments).drop_front())
    if (transform == nullptr || !add_transform(*transform, makers)) return false;
  return true;
}

bool Loaders::add_transform(const clang::CXXRecordDecl& transform,
                            std::vector<BatchMaker>& makers) {
  if (types_.in_library(transform)) return !keeps_function(transform, types_);
  const clang::CXXRecordDecl* definition = transform.getDefinition();
  const clang::CXXMethodDecl* apply = nullptr;
  for (const char* name : {"apply_batch", "apply", "operator()"})
    if (apply == nullptr && definition != nullptr) apply = own_method(*definition, name);
  if (apply == nullptr) return false;
  makers.push_back({declarations_.of(apply), true});
  return true;
}

}  // namespace xfer::analyzer
