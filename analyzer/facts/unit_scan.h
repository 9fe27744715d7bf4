#pragma once
// One walk over the code of a unit that is its authors' own: which devices its variables and fields
// are given, and which fields keep what their constructor gave them. Done when first asked; costs
// one visit of the bodies.

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

#include "analyzer/facts/types.h"
#include "analyzer/facts/unreadable.h"
#include "analyzer/models/api_models.h"

namespace xfer::analyzer {

class UnitScan {
 public:
  UnitScan(clang::ASTContext& context, const ModelSet& models, Types& types,
           const Unreadable& unreadable)
      : context_(context), models_(models), types_(types), unreadable_(unreadable) {}

  /// Some run has CUDA in this variable or field of a device: somebody gives it CUDA, or what
  /// cannot be told to be the CPU. A device that nothing here sets is set elsewhere, for the sake
  /// of CUDA.
  bool may_be_cuda(const clang::ValueDecl& device);

  /// Nothing but constructors and initialisers gives the field a value, moves what it holds, or
  /// hands it to code that may.
  bool settled(const clang::FieldDecl& field);

  /// The changes to a field in the code of a unit.
  struct Changes {
    llvm::SmallPtrSet<const clang::FunctionDecl*, 4>
        methods;               ///< assigned, or moved, through `this`
    bool constructed = false;  ///< a constructor gives it a value
    bool otherwise = false;    ///< by others, or in ways not followed
    bool replaced =
        false;  ///< it may be given a value outside the constructors: no mere move of what it holds
    bool handed_out = false;  ///< a method is another name of it
    bool unseen = false;      ///< changed by code of which the facts do not tell
  };
  /// ... or to a variable that outlives calls.
  Changes changes(const clang::ValueDecl& field);

  struct Given {
    bool cpu = false;
    bool other = false;
  };
  struct Found {
    llvm::DenseMap<const clang::ValueDecl*, Given> devices;
    llvm::DenseMap<const clang::ValueDecl*, Changes> changes;
  };

 private:
  const Found& found();

  clang::ASTContext& context_;
  const ModelSet& models_;
  Types& types_;
  const Unreadable& unreadable_;
  std::optional<Found> found_;
};

}  // namespace xfer::analyzer
