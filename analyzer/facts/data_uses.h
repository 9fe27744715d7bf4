#pragma once
// How a body uses the data that pointers point to: variables, fields of objects that it is given,
// and fields of its own object.

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace xfer::analyzer {

/// A pointer: a variable, or the field of a variable or of the own object (null).
struct DataPointer {
  const clang::VarDecl* variable = nullptr;
  const clang::FieldDecl* field = nullptr;
};
/// One use of a pointer: the name of the variable, or `this`, and the field of which it is said.
using PointerAt = std::pair<const clang::Expr*, const clang::FieldDecl*>;

/// The uses of pointers of which nothing but the data is read.
class DataUses : public clang::DynamicRecursiveASTVisitor {
 public:
  /// Looks so many calls deep.
  explicit DataUses(unsigned depth) : depth_(depth) {}

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override;
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override;
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* expr) override;
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override;
  bool VisitCallExpr(clang::CallExpr* call) override;
  bool VisitVarDecl(clang::VarDecl* variable) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override;
  bool VisitCXXThisExpr(clang::CXXThisExpr* expr) override;
  bool VisitMemberExpr(clang::MemberExpr* expr) override;
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override;

  /// A pointer that it names nowhere it does not read either; a field likewise, but that is known.
  bool only_reads(const DataPointer& pointer) const;
  bool writes(const DataPointer& pointer, unsigned depth = 4) const;
  /// It names the field, or may.
  bool names(const DataPointer& pointer) const;
  /// The use looks at what is there before it, or before any other, writes there.
  bool looks(const PointerAt& use) const { return read_.contains(use) || changed_.contains(use); }
  /// The use gives the pointer to a variable of its own, and does nothing else.
  const clang::VarDecl* gives_to(const PointerAt& use) const;
  /// The name, or `this`, may be of this pointer.
  bool is_of(const clang::Expr* root, const clang::FieldDecl* field) const;

 private:
  struct Effect {
    bool only_reads = false, writes = false;
  };
  using Effects = std::map<const clang::FieldDecl*, Effect>;

  bool only_read(const DataPointer& pointer, unsigned depth) const;
  bool change(const clang::Expr& expr);
  bool change_at(const std::optional<PointerAt>& pointer);
  void follow_object(const clang::Expr* object, const clang::FunctionDecl& callee,
                     const clang::ParmVarDecl* parameter);
  Effect within(const clang::FunctionDecl& callee, unsigned index) const;
  static void note(const std::optional<PointerAt>& pointer, llvm::DenseSet<PointerAt>& among) {
    if (pointer) among.insert(*pointer);
  }

  const unsigned depth_;
  llvm::DenseSet<const clang::ValueDecl*> writable_;
  llvm::DenseSet<PointerAt> read_, written_;
  llvm::DenseSet<PointerAt> changed_;  ///< made of what is there
  llvm::DenseMap<const clang::VarDecl*, std::vector<PointerAt>> taken_;
  /// By variable, and of `this`: their names in the body.
  llvm::DenseMap<const clang::VarDecl*, std::vector<const clang::Expr*>> uses_;
  llvm::DenseMap<const clang::Expr*, const clang::FieldDecl*> named_;  ///< of an object: its field
  /// Of an object that is given to a function, or on which one is called: what that does.
  std::map<const clang::Expr*, Effects> effects_;
};

/// All fields of a class that are pointers to data, its bases' too.
std::vector<const clang::FieldDecl*> pointer_fields(const clang::CXXRecordDecl& record);

}  // namespace xfer::analyzer
