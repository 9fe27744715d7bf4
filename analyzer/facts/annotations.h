#pragma once
// Annotations where a library declares a function or a class of its own: the keys of a model row
// (rules/models/SCHEMA.md) as `[[clang::annotate("xfer: kind: transfer, result: cuda")]]`, or
// XFER_MODEL("kind: transfer, result: cuda") of xfer/annotate.h, which other compilers do not see.
// A row of a model file wins. One look per declaration; most have no attributes at all.

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/DenseMap.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/models/api_models.h"

namespace clang {
class CXXRecordDecl;
class Decl;
class FunctionDecl;
}  // namespace clang

namespace xfer::analyzer {

class Annotations {
 public:
  /// Null: the function says nothing, or nothing that can be understood.
  const FunctionModel* of(const clang::FunctionDecl& function);
  const TypeModel* of(const clang::CXXRecordDecl& record);

  /// An annotation that is not understood.
  struct Fault {
    clang::SourceLocation at;
    std::string what;
  };
  /// All that was said of functions: what of() returned points into it.
  std::vector<std::unique_ptr<FunctionModel>> take_rows() { return std::move(rows_); }
  /// In the order in which they were met.
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  llvm::DenseMap<const clang::Decl*, const FunctionModel*> functions_;
  std::vector<std::unique_ptr<FunctionModel>> rows_;
  llvm::DenseMap<const clang::Decl*, std::unique_ptr<TypeModel>> types_;
  std::vector<Fault> faults_;
};

}  // namespace xfer::analyzer
