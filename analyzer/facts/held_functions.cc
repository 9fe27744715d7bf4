#include "analyzer/facts/held_functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/function_holders.h"

namespace xfer::analyzer {
namespace {

using clang::Expr;
using clang::ValueDecl;

constexpr unsigned kMaxParts = 8;

bool can_be_called(const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr) return false;
  const auto name = record.getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call);
  return !definition->lookup(name).empty() ||
         llvm::any_of(definition->bases(), [](const clang::CXXBaseSpecifier& base) {
           const auto* parent = base.getType()->getAsCXXRecordDecl();
           return parent != nullptr && can_be_called(*parent);
         });
}

class HolderScan : public clang::DynamicRecursiveASTVisitor {
 public:
  HolderScan(clang::ASTContext& context, Types& types) : context_(context), types_(types) {
    ShouldVisitTemplateInstantiations = true;
  }

  HeldFunctions take() {
    for (const auto& [name, function] : named_)
      if (!followed_.contains(name)) found_.given_away.insert(function);
    return std::move(found_);
  }

  bool TraverseDecl(clang::Decl* decl) override {
    if (decl == nullptr || !is_code(*decl)) return true;
    const clang::FunctionDecl* outer = function_;
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) function_ = function;
    const bool on = clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
    function_ = outer;
    return on;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    const clang::FunctionDecl* outer = function_;
    function_ = lambda->getCallOperator();
    const bool on = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    function_ = outer;
    return on;
  }

  // Where functions are named.
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const clang::FunctionDecl* function = named_by(*expr)) named_[expr] = function;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    follow(call->getCallee());
    llvm::ArrayRef<clang::Expr*> given(call->getArgs(), call->getNumArgs());
    if (llvm::isa<clang::CXXOperatorCallExpr>(call) && !given.empty()) {
      const auto* op = llvm::cast<clang::CXXOperatorCallExpr>(call);
      if (op->getOperator() == clang::OO_Call) follow(given.front());
      if (op->getOperator() == clang::OO_Equal && given.size() == 2) store(given[0], given[1]);
      if (llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee)) given = given.drop_front();
    }
    if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) put_into(*method);
    arguments(callee, given);
    return true;
  }

  // Where they are put.
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* expr) override {
    arguments(expr->getConstructor(), llvm::ArrayRef(expr->getArgs(), expr->getNumArgs()));
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->getOpcode() == clang::BO_Assign) store(expr->getLHS(), expr->getRHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (llvm::isa<clang::ParmVarDecl>(variable)) return true;
    const Expr* init = variable->getInit();
    if (init == nullptr || !holds_functions(variable->getType(), types_)) return true;
    add(held(*variable), *init);
    if (is_mutable_reference(variable->getType())) share(*init, *variable);
    return true;
  }
  bool VisitFieldDecl(clang::FieldDecl* field) override {
    if (field->hasInClassInitializer() && field->getInClassInitializer() != nullptr &&
        holds_functions(field->getType(), types_))
      add(held(*field), *field->getInClassInitializer());
    return true;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* made) override {
    if (made->isAnyMemberInitializer() && made->getInit() != nullptr &&
        holds_functions(made->getAnyMember()->getType(), types_))
      add(held(*made->getAnyMember()), *made->getInit());
    return clang::DynamicRecursiveASTVisitor::TraverseConstructorInitializer(made);
  }
  bool VisitInitListExpr(clang::InitListExpr* written) override {
    for (const auto& [field, init] : fields_made(*written))
      if (!is_in_std(field->getParent()) && holds_functions(field->getType(), types_))
        add(held(*field), *init);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* leave) override {
    if (function_ != nullptr && leave->getRetValue() != nullptr &&
        holds_functions(function_->getReturnType(), types_)) {
      add(held(*function_), *leave->getRetValue());
      if (is_mutable_reference(function_->getReturnType()))
        share(*leave->getRetValue(), *function_);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    if (expr->getOpcode() == clang::UO_AddrOf) open(expr->getSubExpr());
    return true;
  }

 private:
  HeldFunctions::Held& held(const ValueDecl& holder) {
    return found_.holders[one_declaration(holder)];
  }

  /// The team's function, or the lambda, that a name stands for.
  const clang::FunctionDecl* named_by(const clang::DeclRefExpr& expr) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(expr.getDecl()))
      return types_.in_library(*function) ? nullptr : one_declaration(*function);
    if (!llvm::isa<clang::VarDecl, clang::BindingDecl>(expr.getDecl())) return nullptr;
    const clang::CXXMethodDecl* closure = closure_of(expr.getDecl()->getType());
    return closure == nullptr ? nullptr : one_declaration(*closure);
  }
  /// The name is one that is followed.
  void follow(const Expr* expr) {
    if (const auto* name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(strip(expr)))
      followed_.insert(name);
  }
  void open(const Expr* expr) {
    if (const ValueDecl* holder = holder_of_function(expr, types_)) held(*holder).open = true;
  }
  /// `other` is another name of what an expression is.
  void share(const Expr& expr, const ValueDecl& other) {
    if (const ValueDecl* holder = holder_of_function(&expr, types_))
      held(*holder).from.insert(one_declaration(other));
  }
  void store(const Expr* to, const Expr* from) {
    if (const ValueDecl* holder = holder_of_function(to, types_)) add(held(*holder), *from);
  }
  /// `hooks.push_back(f)`, `table.emplace("l1", f)`
  void put_into(const clang::CXXMemberCallExpr& call) {
    const clang::CXXMethodDecl* method = call.getMethodDecl();
    if (method == nullptr || method->isConst() || !is_in_std(method)) return;
    const ValueDecl* holder = holder_of_function(call.getImplicitObjectArgument(), types_);
    if (holder == nullptr) return;
    if (method->getDeclName().isIdentifier() && method->getName() == "swap")
      held(*holder).open = true;
    for (const Expr* argument : call.arguments()) add_part(held(*holder), *argument);
  }
  void arguments(const clang::FunctionDecl* callee, llvm::ArrayRef<clang::Expr*> given) {
    if (callee == nullptr) return;
    const bool library =
        is_in_std(callee) || types_.in_library(*callee) || is_in_system_header(*callee);
    for (unsigned index = 0; index < given.size() && index < callee->getNumParams(); ++index) {
      const clang::ParmVarDecl* parameter = callee->getParamDecl(index);
      const clang::QualType type = parameter->getType();
      if (library) {
        const bool moved = callee->getDeclName().isIdentifier() && callee->getName() == "move";
        if (is_mutable_reference(type) && !moved && !type->isRValueReferenceType())
          open(given[index]);
      } else if (closure_of(type) != nullptr) {
        follow(given[index]);  // the instance of the template calls it
      } else if (holds_functions(type, types_)) {
        add(held(*parameter), *given[index]);
        if (is_mutable_reference(type)) share(*given[index], *one_declaration(*parameter));
      }
    }
  }

  /// `to` may hold what `expr` is.
  void add(HeldFunctions::Held& to, const Expr& expr, unsigned depth = 0) {
    const Expr* from = strip(&expr);
    if (from == nullptr || is_null(from)) return;
    if (is_made_of_nothing(from) && holds_functions(from->getType(), types_)) return;
    if (depth > kMaxParts) {
      to.open = true;
      return;
    }
    if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(from))
      return add(to, *given->getExpr(), depth + 1);
    if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(from))
      return add(to, *given->getExpr(), depth + 1);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(from))
      return add(to, *cast->getSubExpr(), depth + 1);
    if (llvm::isa<clang::LambdaExpr>(from)) {
      const clang::CXXMethodDecl* lambda = closure_of(from->getType());
      to.open |= lambda == nullptr;
      if (lambda != nullptr) to.functions.insert(one_declaration(*lambda));
      return;
    }
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(from))
      return add(to, *address->getSubExpr(), depth + 1);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(from)) {
      add(to, *choice->getTrueExpr(), depth + 1);
      return add(to, *choice->getFalseExpr(), depth + 1);
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(from))
      if (const clang::FunctionDecl* function = named_by(*name)) {
        to.functions.insert(function);
        followed_.insert(name);
        return;
      }
    if (const ValueDecl* holder = holder_of_function(from, types_)) {
      to.from.insert(one_declaration(*holder));
      return;
    }
    if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(from))
      return add(to, *list->getSubExpr(), depth + 1);
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(from)) {
      for (const Expr* init : list->inits()) add_part(to, *init, depth + 1);
      return;
    }
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(from);
        made != nullptr && is_in_std(made->getConstructor())) {
      for (const Expr* argument : made->arguments()) add_part(to, *argument, depth + 1);
      return;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(from);
        call != nullptr && hands_on(*call)) {
      for (const Expr* argument : call->arguments()) add_part(to, *argument, depth + 1);
      return;
    }
    to.open = true;
  }
  /// The same of what may be no function at all: the key of a map, an allocator.
  void add_part(HeldFunctions::Held& to, const Expr& expr, unsigned depth = 0) {
    const clang::QualType type = expr.getType().getNonReferenceType();
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (type->isFunctionType() || (record != nullptr && can_be_called(*record)) ||
        holds_functions(type, types_) || llvm::isa<clang::InitListExpr>(strip(&expr)))
      add(to, expr, depth);
  }

  clang::ASTContext& context_;
  Types& types_;
  HeldFunctions found_;
  llvm::MapVector<const clang::DeclRefExpr*, const clang::FunctionDecl*> named_;
  llvm::DenseSet<const clang::DeclRefExpr*> followed_;
  const clang::FunctionDecl* function_ = nullptr;
};

}  // namespace

HeldFunctions find_held_functions(clang::ASTContext& context, Types& types) {
  HolderScan scan(context, types);
  for (clang::Decl* decl : context.getTraversalScope()) scan.TraverseDecl(decl);
  return scan.take();
}

}  // namespace xfer::analyzer
