// Walks over a body once, for pointers to memory: the addresses that go no further than a call,
// the parameters that are there to be stored to, the memory that the function changes.

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/MapVector.h>

#include "analyzer/facts/expected_failures.h"
#include "analyzer/facts/launches.h"
#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"
#include "analyzer/facts/second_tries.h"

namespace xfer::analyzer {
namespace {

bool is_pointer_to_pointer(clang::QualType type, const Types& types) {
  return type->isPointerType() && types.is_pointer(type->getPointeeType());
}

class MemoryVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  MemoryVisitor(MemoryScan& scan, Types& types) : scan_(scan), types_(types) {}

  bool VisitForStmt(clang::ForStmt* loop) override {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared == nullptr || !declared->isSingleDecl()
                              ? nullptr
                              : llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    if (counter == nullptr || counter->getInit() == nullptr) return true;
    const auto* from = llvm::dyn_cast<clang::IntegerLiteral>(strip(counter->getInit()));
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    if (from == nullptr || from->getValue() != 0 || step == nullptr || !step->isIncrementOp())
      scan_.part_counters.insert(counter);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const FunctionModel* row = model_of(*call, types_);
    if (row != nullptr && row->symbol) note_symbol(*call, *row->symbol);
    if (const auto launch = launch_call(*call))
      ++launches_[variable_named(without_casts(call->getArg(launch->arguments)))];
    for (unsigned index = 0; index < call->getNumArgs(); ++index) {
      const clang::Expr* bare = without_casts(call->getArg(index));
      const clang::QualType wanted = callee != nullptr && index < callee->getNumParams()
                                         ? callee->getParamDecl(index)->getType()
                                         : clang::QualType();
      if (!wanted.isNull() && is_pointer_to_pointer(wanted, types_))
        ++passed_[variable_named(bare)];
      // A device's variable that is handed on is what the callee may copy to.
      if (!wanted.isNull() && wanted->isReferenceType()) note_symbol(*call, index);
      const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(bare);
      if (callee == nullptr || address == nullptr || address->getOpcode() != clang::UO_AddrOf)
        continue;
      const clang::Expr* inner = strip(address->getSubExpr());
      given_.insert(address);
      if (const clang::VarDecl* object = plain_object(inner);
          object != nullptr && may_copy(row, *callee))
        objects_[object].push_back(address);
      if (!part_of_memory(inner)) change(call, inner);
      const TypeInfo target = types_.of(inner->getType());
      // As `void*` the variable itself is read or written, as any other memory.
      const bool stored = index < callee->getNumParams() &&
                          is_pointer_to_pointer(callee->getParamDecl(index)->getType(), types_);
      const bool element =
          llvm::isa<clang::ArraySubscriptExpr, clang::CXXOperatorCallExpr>(inner) &&
          !part_of_memory(inner);
      if (stored && (element || llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(inner)) &&
          target.role == Role::kMemory && target.handle)
        scan_.addresses.insert(address);
    }
    const auto* method = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if (method != nullptr && method->isAssignmentOp()) change(call, call->getArg(0));
    const auto* on = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (on != nullptr && on->getMethodDecl() != nullptr && !on->getMethodDecl()->isConst() &&
        !hands_out_elements(*on->getMethodDecl()) &&
        pointer_handed_out_by(on->getMethodDecl(), types_) == nullptr)
      change(call, on->getImplicitObjectArgument());
    if (callee == nullptr) return true;
    const bool member_operator = method != nullptr && llvm::isa<clang::CXXMethodDecl>(callee);
    for (unsigned index = 0; index < callee->getNumParams(); ++index) {
      const unsigned argument = index + (member_operator ? 1 : 0);
      if (argument < call->getNumArgs() &&
          is_mutable_reference(callee->getParamDecl(index)->getType())) {
        const clang::Expr* given = call->getArg(argument);
        if (!types_.is_vector(given->getType()) || !keeps_count(callee, index)) change(call, given);
        referred_.insert(variable_named(given));
      }
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->isAssignmentOp()) change(expr, expr->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    const clang::Expr* inner = strip(expr->getSubExpr());
    if (expr->isIncrementDecrementOp()) change(expr, inner);
    if (expr->getOpcode() == clang::UO_Deref)
      if (const clang::VarDecl* variable = variable_named(inner)) ++passed_[variable];
    if (expr->getOpcode() != clang::UO_AddrOf) return true;
    if (inner->getType()->isArrayType() || part_of_memory(inner))
      scan_.addresses.insert(expr);
    else if (!given_.contains(expr))
      kept_.push_back(expr);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByRef) continue;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
      referred_.insert(variable);
      if (variable == nullptr || lambda->isGenericLambda() ||
          !keeps_number(*variable, *lambda->getCallOperator()))
        scan_.addressed.insert(capture.getCapturedVar());
    }
    return true;
  }
  /// `int& r = n`
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (is_mutable_reference(variable->getType()) && variable->getInit() != nullptr)
      address(variable->getInit());
    if (!launch_arguments(*variable).empty()) arrays_.push_back(variable);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const clang::VarDecl* variable = variable_named(expr)) ++uses_[variable];
    return true;
  }

  void finish(const clang::FunctionDecl& function) {
    for (const clang::VarDecl* array : arrays_) {
      if (launches_.lookup(array) == 0 || launches_.lookup(array) != uses_.lookup(array)) continue;
      scan_.launched.insert(array);
      for (const clang::UnaryOperator* address : launch_arguments(*array))
        scan_.addresses.insert(address);
    }
    for (const clang::UnaryOperator* address_of : kept_)
      if (!scan_.addresses.contains(address_of)) address(strip(address_of->getSubExpr()));
    for (const auto& [object, addresses] : objects_) {
      if (scan_.addressed.contains(object) || referred_.contains(object)) continue;
      scan_.objects.insert(object);
      scan_.object_addresses.insert(addresses.begin(), addresses.end());
    }
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      const clang::QualType type = parameter->getType();
      if (!is_pointer_to_pointer(type, types_)) continue;
      const TypeInfo target = types_.of(type->getPointeeType());
      if (target.role == Role::kMemory && uses_.lookup(parameter) == passed_.lookup(parameter))
        scan_.out_parameters.insert(parameter);
    }
  }

 private:
  /// The lambda leaves the variable the number that it is; a vector, as many elements.
  bool keeps_number(const clang::VarDecl& variable, const clang::CXXMethodDecl& lambda) {
    return types_.is_vector(variable.getType().getNonReferenceType())
               ? keeps_count(variable, lambda)
               : left_alone(variable, &lambda, types_);
  }
  /// A local variable of one number, or of one object that is not followed itself; null: it is
  /// none.
  const clang::VarDecl* plain_object(const clang::Expr* expr) {
    const clang::VarDecl* variable = variable_named(expr);
    if (variable == nullptr || !variable->hasLocalStorage() ||
        llvm::isa<clang::ParmVarDecl>(variable))
      return nullptr;
    const clang::QualType type = variable->getType();
    const bool plain = type->isArithmeticType() || type->isEnumeralType() || type->isRecordType();
    return plain && types_.of(type).role == Role::kNone ? variable : nullptr;
  }
  void note_symbol(const clang::CallExpr& call, unsigned argument) {
    if (argument >= call.getNumArgs()) return;
    const clang::Expr* named = without_casts(call.getArg(argument));
    const clang::VarDecl* variable = variable_named(named);
    if (variable != nullptr && (variable->hasAttr<clang::CUDADeviceAttr>() ||
                                variable->hasAttr<clang::CUDAConstantAttr>()))
      scan_.symbols.insert(named);
  }
  /// The call copies memory, or runs the project's code, which may.
  static bool may_copy(const FunctionModel* row, const clang::FunctionDecl& callee) {
    return row == nullptr ? callee.hasBody() : row->kind == CallKind::kCopy;
  }
  /// `p[i]`, `*p`, `p->x`, `v[i]`: the address is the pointer's, and the variable's own is not
  /// taken.
  bool part_of_memory(const clang::Expr* expr) {
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
      return types_.of(subscript->getBase()->getType()).role == Role::kMemory;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
      return unary->getOpcode() == clang::UO_Deref &&
             types_.of(unary->getSubExpr()->getType()).role == Role::kMemory;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr))
      return member->isArrow() ? types_.of(member->getBase()->getType()).role == Role::kMemory
                               : part_of_memory(strip(member->getBase()));
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    return call != nullptr && call->getOperator() == clang::OO_Subscript &&
           types_.of(call->getArg(0)->getType()).role == Role::kMemory;
  }
  void change(const clang::Stmt* at, const clang::Expr* expr) {
    for (const clang::Decl* decl : named_by(expr)) scan_.changes[at].push_back(decl);
  }
  void address(const clang::Expr* expr) {
    for (const clang::Decl* decl : named_by(expr)) scan_.addressed.insert(decl);
  }
  static llvm::SmallVector<const clang::Decl*, 2> named_by(const clang::Expr* expr) {
    llvm::SmallVector<const clang::Decl*, 2> decls;
    if (const clang::Decl* root = root_of(expr)) decls.push_back(root);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(strip(expr));
    if (member != nullptr && !llvm::is_contained(decls, member->getMemberDecl()))
      decls.push_back(member->getMemberDecl());
    return decls;
  }

  MemoryScan& scan_;
  Types& types_;
  llvm::DenseMap<const clang::VarDecl*, unsigned> uses_, passed_, launches_;
  std::vector<const clang::VarDecl*> arrays_;  ///< see launch_arguments
  llvm::MapVector<const clang::VarDecl*, std::vector<const clang::Expr*>> objects_;
  llvm::DenseSet<const clang::VarDecl*> referred_;  ///< given to calls by reference
  std::vector<const clang::UnaryOperator*> kept_;   ///< addresses that go further than a call
  llvm::DenseSet<const clang::Expr*> given_;        ///< addresses that go no further than a call
};

}  // namespace

MemoryScan scan_memory(const clang::FunctionDecl& function, Types& types) {
  MemoryScan scan;
  if (!types.follows_memory()) return scan;
  MemoryVisitor visitor(scan, types);
  visitor.TraverseStmt(function.getBody());
  visitor.finish(function);
  scan.second_tries = second_tries(*function.getBody(), types);
  scan.expected_failures = expected_failures(*function.getBody());
  return scan;
}

}  // namespace xfer::analyzer
