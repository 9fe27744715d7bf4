// Memory that is followed by its pointers, in units that use the CUDA runtime: what points where,
// and where host code touches it. A pointer's value is the memory that it points into.

#include <clang/AST/StmtVisitor.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// `p` of `p[i]`, `*p`, `p->x`, `p[i].x`, `v[i]`; null: it is none of these.
const clang::Expr* pointer_behind(const clang::Expr* expr) {
  expr = strip(expr);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    // Of an array of arrays, the array.
    const clang::Expr* base = strip(subscript->getBase());
    const clang::Expr* outer = base->getType()->isArrayType() ? pointer_behind(base) : nullptr;
    return outer == nullptr ? base : outer;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary->getOpcode() == clang::UO_Deref ? unary->getSubExpr() : nullptr;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr))
    return member->isArrow() ? member->getBase() : pointer_behind(member->getBase());
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  return call != nullptr && call->getOperator() == clang::OO_Subscript ? call->getArg(0) : nullptr;
}

bool is_local(const clang::DeclRefExpr& expr) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr.getDecl());
  return variable != nullptr && variable->hasLocalStorage();
}

}  // namespace

/// Expressions that are about memory and nothing else, each kind by itself. True: it is one, and
/// has been read.
class Reader::MemoryReader : public clang::ConstStmtVisitor<MemoryReader, bool> {
 public:
  explicit MemoryReader(Reader& reader) : reader_(reader) {}

  bool VisitStmt(const clang::Stmt*) { return false; }

  bool VisitCUDAKernelCallExpr(const clang::CUDAKernelCallExpr* launch) {
    reader_.read_kernel_launch(*launch);
    return true;
  }
  /// Of a launch: what stands between the angles.
  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee != nullptr && callee->getIdentifier() != nullptr &&
           callee->getName().ends_with("PushCallConfiguration");
  }
  bool VisitCXXOperatorCallExpr(const clang::CXXOperatorCallExpr* call) {
    return call->getNumArgs() > 0 && read_owner_call(*call, *call->getArg(0));
  }
  bool VisitCXXMemberCallExpr(const clang::CXXMemberCallExpr* call) {
    return VisitCallExpr(call) || read_owner_call(*call, *call->getImplicitObjectArgument());
  }

  bool VisitDeclRefExpr(const clang::DeclRefExpr* expr);
  bool VisitCXXNullPtrLiteralExpr(const clang::CXXNullPtrLiteralExpr* null) {
    return new_memory(*null, Known::kEmpty);
  }
  bool VisitGNUNullExpr(const clang::GNUNullExpr* null) { return new_memory(*null, Known::kEmpty); }
  bool VisitCXXNewExpr(const clang::CXXNewExpr* made) {
    return is_memory(*made) && (reader_.read_new_array(*made) || new_memory(*made, Known::kHost));
  }
  bool VisitExplicitCastExpr(const clang::ExplicitCastExpr* cast);

  bool VisitBinaryOperator(const clang::BinaryOperator* binary);
  /// `++p`, `p--`
  bool VisitUnaryOperator(const clang::UnaryOperator* unary) {
    if (!unary->isIncrementDecrementOp() || !is_memory(*unary)) return false;
    reader_.pass(*unary, unary->getSubExpr());
    return true;
  }
  bool VisitUnaryAddrOf(const clang::UnaryOperator* unary);

  bool VisitUnaryDeref(const clang::UnaryOperator* unary);
  bool VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* subscript) {
    return reader_.list_with(*subscript) == nullptr &&
           follow(*subscript, *subscript->getBase(), false);
  }
  bool VisitMemberExpr(const clang::MemberExpr* member);

 private:
  bool is_memory(const clang::Expr& expr) { return reader_.is_memory(expr); }
  bool read_owner_call(const clang::CallExpr& expr, const clang::Expr& owner);
  bool read_smart_pointer(const clang::CallExpr& expr, const clang::Expr& owner,
                          const clang::CXXMethodDecl& method);
  bool follow(const clang::Expr& expr, const clang::Expr& pointer, bool part);
  bool new_memory(const clang::Expr& at, Known what);
  void touch(const clang::Expr& expr, const clang::Expr& pointer);
  void lose_named(const clang::Expr& expr);

  Reader& reader_;
};

/// True: all of it has been said.
bool Reader::MemoryReader::new_memory(const clang::Expr& at, Known what) {
  reader_.define(fact::Fresh{ValueType::of(Role::kMemory), what}, at);
  return true;
}

/// The host reads or writes `expr`, which lies where `pointer` points.
void Reader::MemoryReader::touch(const clang::Expr& expr, const clang::Expr& pointer) {
  const ValueId value = reader_.value_of(&pointer);
  if (!value || reader_.pointers_.not_followed.contains(&expr)) return;
  fact::Access access;
  access.pointer = value;
  access.writes = !reader_.pointers_.only_read.contains(&expr);
  access.polls = !access.writes && (expr.getType().isVolatileQualified() ||
                                    reader_.pointers_.spun_on.contains(&expr));
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr))
    access.part =
        reader_.memory_.part_counters.contains(variable_named(without_casts(element->getIdx())));
  access.spot = reader_.spot(pointer.getSourceRange());
  access.place = reader_.place_of(&pointer);
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(strip(&pointer)))
    if (const auto known = reader_.variables_.find(named->getDecl());
        known != reader_.variables_.end())
      access.variable = known->second;
  reader_.emit(std::move(access), &expr);
}

/// A pointer is made of what the expression names, in a way that is not followed: it may point
/// there.
void Reader::MemoryReader::lose_named(const clang::Expr& expr) {
  if (is_memory(expr) || reader_.types_.of(expr.getType()).role == Role::kRecord)
    reader_.lose(reader_.value_of(&expr), "a pointer was made of it", &expr);
  for (const clang::Stmt* child : expr.children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) lose_named(*part);
}

/// A vector's elements and its data are its memory.
bool Reader::MemoryReader::read_owner_call(const clang::CallExpr& expr, const clang::Expr& owner) {
  // Of the vector itself, not of the base class that has the method.
  const TypeInfo type = reader_.types_.of(strip(&owner)->getType());
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(expr.getDirectCallee());
  if (type.role == Role::kMemory && type.handle && method != nullptr &&
      !owner.getType()->isPointerType())
    return type.elements != Elements::kOnDevice && read_smart_pointer(expr, owner, *method);
  if (type.role != Role::kMemory || type.handle || method == nullptr) return false;
  const FunctionModel* row = model_of(expr, reader_.types_);
  const bool device = type.elements == Elements::kOnDevice;
  if (row != nullptr && row->hands_out == HandsOut::kMemory) {
    reader_.pass(expr, &owner);
  } else if (device && method->getOverloadedOperator() == clang::OO_Subscript) {
    reader_.values_[&expr] = reader_.value_of(&owner);  // it stands for the element, and copies it
  } else if (device && !method->isConst()) {
    reader_.lose(reader_.value_of(&owner), "a method may write to it", &expr);
  } else if (method->getOverloadedOperator() == clang::OO_Subscript ||
             (row != nullptr && row->kind == CallKind::kElement)) {
    touch(expr, owner);
    if (expr.getType()->isRecordType())
      if (const ValueId value = reader_.value_of(&owner)) reader_.values_[&expr] = value;
  } else if (!method->isConst()) {
    touch(expr, owner);
  }
  return true;
}

/// std::unique_ptr and its kin: the memory that they own.
bool Reader::MemoryReader::read_smart_pointer(const clang::CallExpr& expr, const clang::Expr& owner,
                                              const clang::CXXMethodDecl& method) {
  const clang::OverloadedOperatorKind how = method.getOverloadedOperator();
  if (how == clang::OO_Subscript || how == clang::OO_Star) return follow(expr, owner, false);
  const bool reset = method.getIdentifier() != nullptr && method.getName() == "reset";
  const bool release = method.getIdentifier() != nullptr && method.getName() == "release";
  if (!reset && !release) return false;
  if (release) reader_.pass(expr, &owner);
  const PlaceId place = reader_.place_of(&owner);
  if (!place) return true;
  ValueId left = reset && expr.getNumArgs() > 0 ? reader_.value_of(expr.getArg(0)) : ValueId();
  if (!left) left = reader_.make(fact::Fresh{ValueType::of(Role::kMemory), Known::kEmpty}, &expr);
  reader_.store(place, left, &expr);
  return true;
}

bool Reader::MemoryReader::VisitExplicitCastExpr(const clang::ExplicitCastExpr* cast) {
  const clang::Expr& from = *cast->getSubExpr();
  if (is_memory(*cast)) {
    reader_.pass(*cast, &from);
    // `(void**)&p`, to a call that says what it leaves there.
    const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(without_casts(&from));
    if (address != nullptr && reader_.memory_.addresses.contains(address) &&
        !reader_.value_of(address))
      return true;
    if (reader_.memory_.out_parameters.contains(variable_named(without_casts(&from)))) return true;
    if (!reader_.value_of(cast)) {
      lose_named(from);
      reader_.fresh(*cast, "a pointer made from something else");
    }
    return true;
  }
  if (!cast->getType()->isIntegralType(reader_.context_) || !is_memory(from)) return false;
  reader_.lose(reader_.value_of(&from), "its address was converted to an integer", cast);
  return true;
}

/// `p + n`, `n + p`, `p -= n`
bool Reader::MemoryReader::VisitBinaryOperator(const clang::BinaryOperator* binary) {
  // `d & ~255`, of an address that is a number.
  if (!binary->isAdditiveOp() && !binary->isComparisonOp() && !binary->isAssignmentOp() &&
      !binary->isCommaOp())
    for (const clang::Expr* side : {binary->getLHS(), binary->getRHS()}) reader_.lose_number(*side);
  if (!is_memory(*binary)) return false;
  if (binary->isAdditiveOp()) {
    const bool left = is_memory(*binary->getLHS());
    if (const ValueId value = reader_.value_of(left ? binary->getLHS() : binary->getRHS()))
      reader_.values_[binary] = value;
  } else if (binary->isCompoundAssignmentOp()) {
    reader_.pass(*binary, binary->getLHS());
  }
  return binary->isAdditiveOp() || binary->isCompoundAssignmentOp();
}

/// A variable that is memory of its own, as an array of one.
bool Reader::MemoryReader::VisitDeclRefExpr(const clang::DeclRefExpr* expr) {
  const clang::VarDecl* object = variable_named(expr);
  if (reader_.memory_.symbols.contains(expr)) {
    fact::Fresh symbol{ValueType::of(Role::kMemory), Known::kDeviceVariable};
    // No kernel writes to it.
    if (object->hasAttr<clang::CUDAConstantAttr>()) symbol.variable = reader_.variable(*object);
    reader_.define(std::move(symbol), *expr);
    return true;
  }
  if (object == nullptr || !reader_.memory_.objects.contains(object)) return false;
  const PlaceId place_id = reader_.place(reader_.variable(*object), {});
  reader_.expr_places_[expr] = place_id;
  reader_.define(fact::Load{place_id}, *expr);
  if (reader_.pointers_.not_followed.contains(expr)) return true;
  touch(*expr, *expr);
  // Elsewhere it is a number, or an object, as any other.
  reader_.values_.erase(expr);
  reader_.expr_places_.erase(expr);
  return true;
}

bool Reader::MemoryReader::VisitUnaryAddrOf(const clang::UnaryOperator* unary) {
  if (!is_memory(*unary)) return false;
  const clang::Expr* inner = strip(unary->getSubExpr());
  const TypeInfo target = reader_.types_.of(inner->getType());
  const bool variable = target.role == Role::kMemory && target.handle;
  if (const clang::Expr* list = reader_.list_with(*inner); list != nullptr && variable) {
    if (!reader_.memory_.addresses.contains(unary))
      reader_.lose(reader_.value_of(list), "the address of an element was taken", unary);
    return true;
  }
  const clang::Expr* behind = pointer_behind(inner);
  if (const ValueId value = reader_.value_of(behind == nullptr ? inner : behind);
      value && (behind != nullptr || !variable)) {
    reader_.values_[unary] = value;
    return true;
  }
  if (reader_.memory_.addresses.contains(unary) && variable) return true;
  // A global variable may be __managed__.
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner);
      named != nullptr && is_local(*named))
    return new_memory(*unary, Known::kHostVariable);
  lose_named(*inner);
  reader_.fresh(*unary, "the address of a part of something");
  return true;
}

bool Reader::MemoryReader::VisitUnaryDeref(const clang::UnaryOperator* unary) {
  // A loop over an array of pointers takes them one by one.
  if (const clang::VarDecl* next = variable_named(unary->getSubExpr());
      next != nullptr && next->isImplicit() && is_memory(*unary))
    return true;
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(strip(unary->getSubExpr())))
    if (const auto* out = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
        out != nullptr && reader_.memory_.out_parameters.contains(out)) {
      const PlaceId place_id = reader_.place(reader_.variable(*out), {});
      reader_.expr_places_[unary] = place_id;
      reader_.define(fact::Load{place_id}, *unary);
      return true;
    }
  return follow(*unary, *unary->getSubExpr(), false);
}

/// `p->x`; `x.y` of what lies in memory.
bool Reader::MemoryReader::VisitMemberExpr(const clang::MemberExpr* member) {
  const clang::Expr* base = member->getBase();
  if (member->isArrow()) return is_memory(*base) && follow(*member, *base, false);
  return reader_.value_of(base) && !reader_.place_of(base) &&
         reader_.types_.of(base->getType()).role == Role::kNone && follow(*member, *base, true);
}

/// `expr` lies where `pointer` points, or is a `part` of what lies there.
bool Reader::MemoryReader::follow(const clang::Expr& expr, const clang::Expr& pointer, bool part) {
  if (reader_.pointer_values_.count(strip(&pointer)) != 0) return false;
  const ValueId value = reader_.value_of(&pointer);
  if (!value || (!part && !is_memory(pointer))) return false;
  if (!expr.getType()->isArrayType() && !part) touch(expr, pointer);
  const TypeInfo type = reader_.types_.of(expr.getType());
  if (type.role == Role::kMemory && (type.handle || type.elements != Elements::kAnywhere))
    reader_.fresh(expr,
                  type.elements != Elements::kAnywhere ? nullptr : "a pointer read from memory");
  else if (type.role == Role::kMemory ||
           (type.role == Role::kNone && expr.getType()->isRecordType()))
    reader_.values_[&expr] = value;  // what is a part of it is in that memory too
  else
    return type.role == Role::kNone;
  return true;
}

/// A pointer to a module or a record is one to its base class too, which may be a plain class.
bool Reader::is_memory(const clang::Expr& expr) {
  const clang::Expr* pointer = expr.IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer)) {
    if (cast->getCastKind() != clang::CK_DerivedToBase &&
        cast->getCastKind() != clang::CK_UncheckedDerivedToBase)
      break;
    pointer = cast->getSubExpr()->IgnoreParens();
  }
  // `d + n`, of an address that is a number; `d - e` is how far they are apart.
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer);
  if (sum != nullptr && sum->isAdditiveOp() && sum->getType()->isUnsignedIntegerType() &&
      types_.follows_memory())
    return is_memory(*strip(sum->getLHS())) != is_memory(*strip(sum->getRHS()));
  return types_.of(pointer->getType()).role == Role::kMemory;
}

/// An address that is a number is made another number, of which nobody sees who uses it.
void Reader::lose_number(const clang::Expr& from) {
  const clang::Expr* number = strip(&from);
  if (number != nullptr && !number->getType().isNull() && number->getType()->isIntegerType() &&
      is_memory(*number))
    lose(value_of(number), "its address was converted to an integer", number);
}

/// It is stored, given or returned as `to`.
void Reader::keep_as_number(const clang::Expr& from, clang::QualType to) {
  if (to->isIntegerType() && !types_.is_address(to)) lose_number(from);
}

bool Reader::read_memory(const clang::Expr& expr) { return MemoryReader(*this).Visit(&expr); }

}  // namespace xfer::analyzer
