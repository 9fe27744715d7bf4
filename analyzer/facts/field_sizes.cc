#include "analyzer/facts/field_sizes.h"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/MapVector.h>

#include <vector>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/unit_walk.h"

namespace xfer::analyzer {
namespace {

/// Finds how functions use the fields of their objects, global variables and their own variables.
class Scan : public UnitWalk {
 public:
  struct Given {
    const clang::FunctionDecl* function;
    const clang::Expr* value;
  };
  struct Field {
    unsigned uses = 0, known = 0;  ///< known: it is read, allocated or assigned, and no more
    std::vector<FieldSizes::Size> allocated;
    std::vector<Given> assigned;
  };
  struct Variable {
    unsigned uses = 0, read = 0;
  };

  Scan(clang::ASTContext& context, Types& types) : UnitWalk(context), types_(types) {}

  llvm::MapVector<const clang::ValueDecl*, Field> fields;  ///< in the order of the source
  llvm::DenseMap<const clang::VarDecl*, Variable> variables;

  bool TraverseDecl(clang::Decl* decl) override {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    return (function != nullptr && function->isDependentContext()) || UnitWalk::TraverseDecl(decl);
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    if (initializer->isAnyMemberInitializer())
      give(*initializer->getAnyMember(), initializer->getInit());
    return UnitWalk::TraverseConstructorInitializer(initializer);
  }
  bool TraverseIfStmt(clang::IfStmt* choice) override {
    TraverseStmt(choice->getInit());
    TraverseStmt(choice->getConditionVariableDeclStmt());
    TraverseStmt(choice->getCond());
    ++conditions_;
    TraverseStmt(choice->getThen());
    TraverseStmt(choice->getElse());
    --conditions_;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
      ++fields[field].uses;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    if (const clang::ValueDecl* global = kept_by(*named))
      ++fields[global].uses;
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl()))
      ++variables[variable].uses;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() != clang::CK_LValueToRValue) return true;
    const clang::Expr* inner = strip(cast->getSubExpr());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner)) {
      if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
        ++fields[field].known;
    } else if (const clang::ValueDecl* global = kept_by(*inner)) {
      ++fields[global].known;
    } else if (const clang::VarDecl* variable = variable_named(inner)) {
      ++variables[variable].read;
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) override {
    if (assignment->getOpcode() != clang::BO_Assign) return true;
    const clang::ValueDecl* field = kept_by(*strip(assignment->getLHS()));
    if (field == nullptr) return true;
    ++fields[field].known;
    give(*field, assignment->getRHS());
    return true;
  }
  /// `cudaMalloc(&p_, n)`
  bool VisitCallExpr(clang::CallExpr* call) override {
    const FunctionModel* row = model_of(*call, types_);
    if (row == nullptr || row->kind != CallKind::kAllocate || call->getNumArgs() == 0) return true;
    const clang::Expr* pointer = addressed_by(call->getArg(0));
    const clang::ValueDecl* field = pointer == nullptr ? nullptr : kept_by(*strip(pointer));
    if (field == nullptr) return true;
    ++fields[field].known;
    allocate(*field, {call, bytes_of(*call, *row), 1, function_});
    return true;
  }

 private:
  static const clang::Expr* bytes_of(const clang::CallExpr& call, const FunctionModel& row) {
    return row.bytes && *row.bytes < call.getNumArgs() ? call.getArg(*row.bytes) : nullptr;
  }
  /// Under a condition it may be what it was before, which is larger, it seems.
  void allocate(const clang::ValueDecl& field, FieldSizes::Size size) {
    if (conditions_ > 0) size.count = nullptr;
    fields[&field].allocated.push_back(size);
  }
  void give(const clang::ValueDecl& field, const clang::Expr* value) {
    const clang::Expr* bare = without_casts(value);
    if (!types_.is_pointer(field.getType()))
      return fields[&field].assigned.push_back({function_, value});
    if (bare == nullptr || is_null_pointer(*bare, context_)) return;
    FieldSizes::Size size{bare, nullptr, 1, function_};
    if (const auto* made = llvm::dyn_cast<clang::CXXNewExpr>(bare);
        made != nullptr && made->getArraySize()) {
      size.count = *made->getArraySize();
      const clang::QualType element = made->getAllocatedType();
      if (!element->isIncompleteType())
        size.unit = static_cast<std::uint64_t>(context_.getTypeSizeInChars(element).getQuantity());
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare)) {
      const FunctionModel* row = model_of(*call, types_);
      if (row != nullptr && row->kind == CallKind::kAllocate) size.count = bytes_of(*call, *row);
    }
    allocate(field, size);
  }

  Types& types_;
  unsigned conditions_ = 0;  ///< around what is visited
};

/// Looks at a size as it is written: whether it says the same in every method.
class Stable {
 public:
  Stable(const Scan& scan, const FieldSizes::Size& size,
         llvm::DenseMap<const clang::VarDecl*, FieldSizes::Name>& names)
      : scan_(scan), size_(size), names_(names) {}

  bool holds(const clang::Expr* expr, unsigned depth = 0) {
    expr = without_casts(expr);
    if (expr == nullptr || depth > 16) return false;
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::IntegerLiteral>(expr)) return true;
    if (const clang::ValueDecl* field = kept_by(*expr)) return is_kept(*field);
    if (const clang::VarDecl* variable = variable_named(expr)) return is_named(*variable, depth);
    if (llvm::isa<clang::DeclRefExpr>(expr)) return true;  // an enumerator
    if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
      return method->getNumArgs() == 0 &&
             llvm::isa<clang::CXXThisExpr>(strip(method->getImplicitObjectArgument())) &&
             holds(only_returned(method->getMethodDecl()), depth + 1);
    if (!llvm::isa<clang::BinaryOperator>(expr)) return false;
    return llvm::all_of(expr->children(), [&](const clang::Stmt* part) {
      return holds(llvm::dyn_cast_or_null<clang::Expr>(part), depth + 1);
    });
  }

 private:
  /// Nothing changes the field or the global variable but constructors, and what allocates.
  bool is_kept(const clang::ValueDecl& field) const {
    const auto known = scan_.fields.find(&field);
    if (known == scan_.fields.end() || known->second.uses != known->second.known) return false;
    return llvm::all_of(known->second.assigned, [&](const Scan::Given& given) {
      return given.function == size_.function ||
             llvm::isa_and_nonnull<clang::CXXConstructorDecl>(given.function);
    });
  }
  bool is_only_read(const clang::VarDecl& variable) const {
    const Scan::Variable known = scan_.variables.lookup(&variable);
    return known.uses == known.read;
  }
  bool is_named(const clang::VarDecl& variable, unsigned depth) {
    if (!variable.hasLocalStorage()) return variable.getType().isConstQualified();
    if (!is_only_read(variable)) return false;
    if (variable.getType()->isReferenceType()) return false;
    if (!llvm::isa<clang::ParmVarDecl>(variable)) {
      if (variable.getInit() == nullptr || !holds(variable.getInit(), depth + 1)) return false;
      names_[&variable].value = variable.getInit();
      return true;
    }
    for (const auto& [field, known] : scan_.fields)
      if (is_kept(*field))
        for (const Scan::Given& given : known.assigned)
          if (given.function == size_.function &&
              variable_named(without_casts(given.value)) == &variable) {
            names_[&variable].kept = field;
            return true;
          }
    return false;
  }

  const Scan& scan_;
  const FieldSizes::Size& size_;
  llvm::DenseMap<const clang::VarDecl*, FieldSizes::Name>& names_;
};

/// Every declaration of the variable is in the file that is compiled, and it is no `extern`.
bool is_of_file(const clang::VarDecl& variable) {
  const clang::SourceManager& sources = variable.getASTContext().getSourceManager();
  return variable.isFileVarDecl() && !variable.isStaticDataMember() &&
         llvm::all_of(variable.redecls(), [&](const clang::VarDecl* one) {
           return one->getStorageClass() != clang::SC_Extern &&
                  sources.isInMainFile(sources.getExpansionLoc(one->getLocation()));
         });
}

}  // namespace

const clang::ValueDecl* kept_by(const clang::Expr& expr) {
  if (const clang::FieldDecl* field = own_field(expr)) return field;
  const clang::VarDecl* variable = variable_named(&expr);
  const bool global = variable != nullptr && variable->hasGlobalStorage() &&
                      !variable->getType().isConstQualified() && is_of_file(*variable);
  return global ? variable->getCanonicalDecl() : nullptr;
}

void FieldSizes::find() {
  found_ = true;
  Scan scan(context_, types_);
  scan.walk();
  for (const auto& [field, known] : scan.fields) {
    if (known.allocated.size() != 1 || known.uses != known.known) continue;
    const Size& size = known.allocated.front();
    if (size.count != nullptr && Stable(scan, size, names_).holds(size.count)) sizes_[field] = size;
  }
}

const FieldSizes::Size* FieldSizes::of(const clang::ValueDecl& pointer) {
  if (!found_) find();
  const auto size = sizes_.find(&pointer);
  return size == sizes_.end() ? nullptr : &size->second;
}

const FieldSizes::Name* FieldSizes::name(const clang::VarDecl& variable) const {
  const auto name = names_.find(&variable);
  return name == names_.end() ? nullptr : &name->second;
}

}  // namespace xfer::analyzer
