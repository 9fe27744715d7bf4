#include "analyzer/facts/annotations.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>

#include "analyzer/models/model_yaml.h"

namespace xfer::analyzer {
namespace {

/// The annotation of a declaration that is meant for us, and its keys.
const clang::AnnotateAttr* annotation_of(const clang::Decl& declaration, llvm::StringRef& keys) {
  if (!declaration.hasAttrs()) return nullptr;
  for (const auto* attribute : declaration.specific_attrs<clang::AnnotateAttr>()) {
    keys = attribute->getAnnotation();
    if (keys.consume_front("xfer:")) return attribute;
  }
  return nullptr;
}

}  // namespace

const FunctionModel* Annotations::of(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* latest = function.getMostRecentDecl();
  const auto [entry, added] = functions_.try_emplace(latest->getCanonicalDecl());
  if (!added) return entry->second;
  llvm::StringRef keys;
  const clang::AnnotateAttr* found = annotation_of(*latest, keys);
  if (found == nullptr)
    if (const clang::FunctionDecl* pattern = latest->getTemplateInstantiationPattern())
      found = annotation_of(*pattern, keys);
  if (found == nullptr) return nullptr;
  if (llvm::Expected<FunctionModel> model = parse_function_keys(keys)) {
    rows_.push_back(std::make_unique<FunctionModel>(std::move(*model)));
    entry->second = rows_.back().get();
  } else {
    faults_.push_back({found->getLocation(), llvm::toString(model.takeError())});
  }
  return entry->second;
}

const TypeModel* Annotations::of(const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* latest = record.getMostRecentDecl();
  const auto [entry, added] = types_.try_emplace(latest->getCanonicalDecl());
  if (!added) return entry->second.get();
  llvm::StringRef keys;
  const clang::AnnotateAttr* found = annotation_of(*latest, keys);
  if (found == nullptr)
    if (const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(latest))
      found = annotation_of(
          *instance->getSpecializedTemplate()->getTemplatedDecl()->getMostRecentDecl(), keys);
  if (found == nullptr) return nullptr;
  if (llvm::Expected<TypeModel> model = parse_type_keys(keys)) {
    entry->second = std::make_unique<TypeModel>(std::move(*model));
  } else {
    faults_.push_back({found->getLocation(), llvm::toString(model.takeError())});
  }
  return entry->second.get();
}

}  // namespace xfer::analyzer
