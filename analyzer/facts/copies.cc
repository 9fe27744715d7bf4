// What copies of memory, allocations and kernel launches are told: how many bytes, which part, in
// which direction, and what a kernel only reads.

#include <llvm/Support/raw_ostream.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// `a`, `b` and `c` of `a * b * c`.
void factors_of(const clang::Expr* expr, std::vector<const clang::Expr*>& factors) {
  expr = without_casts(expr);
  const auto* product = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (product == nullptr || product->getOpcode() != clang::BO_Mul) return factors.push_back(expr);
  factors_of(product->getLHS(), factors);
  factors_of(product->getRHS(), factors);
}

/// What stands before a pointer: `p` in `p + i`, `&p[i]`, `(char*)p`; adds what is added to it.
const clang::Expr* base_and_offset(const clang::Expr* expr, const clang::PrintingPolicy& policy,
                                   std::string& offset, std::vector<const clang::Expr*>& parts) {
  const auto add = [&](const clang::Expr* part, const char* sign) {
    llvm::raw_string_ostream out(offset);
    out << sign;
    part->printPretty(out, nullptr, policy);
    parts.push_back(part);
  };
  for (;;) {
    expr = strip(expr);
    if (expr == nullptr) return nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
               binary != nullptr && binary->isAdditiveOp()) {
      const bool left = binary->getLHS()->getType()->isPointerType() ||
                        binary->getLHS()->getType()->isArrayType();
      add(left ? binary->getRHS() : binary->getLHS(),
          binary->getOpcode() == clang::BO_Sub ? "-" : "+");
      expr = left ? binary->getLHS() : binary->getRHS();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
               unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr* inner = strip(unary->getSubExpr());
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner)) {
        add(subscript->getIdx(), "+");
        expr = subscript->getBase();
      } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner);
                 call != nullptr && call->getNumArgs() == 2) {
        add(call->getArg(1), "+");
        expr = call->getArg(0);
      } else {
        return inner;
      }
    } else if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
               call != nullptr && call->getNumArgs() == 0) {
      expr = call->getImplicitObjectArgument();
    } else {
      return expr;
    }
  }
}

}  // namespace

std::uint32_t Reader::name_of(const clang::Decl& decl) {
  return extent_names_.try_emplace(&decl, static_cast<std::uint32_t>(extent_names_.size()))
      .first->second;
}

/// Assignments and calls that change what a size or an offset may speak of.
void Reader::read_changes(const clang::Expr& expr) {
  const auto changes = memory_.changes.find(&expr);
  if (changes == memory_.changes.end()) return;
  for (const clang::Decl* decl : changes->second) emit(fact::Change{name_of(*decl)}, nullptr);
}

/// Adds what a part of an extent speaks of. False: equal texts may be different numbers.
bool Reader::note_names(const clang::Expr& expr, Extent& extent) {
  const clang::Expr* bare = strip(&expr);
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(bare)) return true;
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    if (variable == nullptr) return llvm::isa<clang::EnumConstantDecl>(named->getDecl());
    if (variable->getType().isConstQualified()) return true;
    extent.names.push_back(name_of(*variable));
    extent.outside |= !variable->hasLocalStorage();
    return !memory_.addressed.contains(variable) && !is_mutable_reference(variable->getType());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) {
    extent.names.push_back(name_of(*member->getMemberDecl()));
    extent.outside = true;
    if (memory_.addressed.contains(member->getMemberDecl())) return false;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare)) {
    const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (method == nullptr || method->getMethodDecl() == nullptr ||
        !method->getMethodDecl()->isConst())
      return false;
    return note_names(*method->getImplicitObjectArgument(), extent) && call->getNumArgs() == 0;
  }
  return llvm::all_of(bare->children(), [&](const clang::Stmt* child) {
    const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
    return part == nullptr || note_names(*part, extent);
  });
}

Extent Reader::extent_of(const clang::Expr* to, const clang::Expr* from, const clang::Expr* bytes) {
  const clang::PrintingPolicy policy(context_.getLangOpts());
  Extent extent;
  std::vector<const clang::Expr*> parts;
  base_and_offset(to, policy, extent.to, parts);
  base_and_offset(from, policy, extent.from, parts);
  if (bytes != nullptr) {
    llvm::raw_string_ostream out(extent.bytes);
    bytes->printPretty(out, nullptr, policy);
    parts.push_back(bytes);
  }
  extent.comparable = bytes != nullptr && llvm::all_of(parts, [&](const clang::Expr* part) {
                        return note_names(*part, extent);
                      });
  return extent;
}

Size Reader::size_of_call(const clang::CallExpr& expr, const FunctionModel& model) const {
  Size size;
  if (*model.bytes >= expr.getNumArgs()) return size;
  const clang::Expr* bytes = without_casts(expr.getArg(*model.bytes));
  const clang::PrintingPolicy policy(context_.getLangOpts());
  const auto print = [&](const clang::Expr* part, std::string& to) {
    llvm::raw_string_ostream out(to);
    without_casts(part)->printPretty(out, nullptr, policy);
  };
  if (bytes->isValueDependent()) return size;
  print(bytes, size.text);
  clang::Expr::EvalResult value;
  if (bytes->EvaluateAsInt(value, context_)) size.bytes = value.Val.getInt().getLimitedValue();
  std::vector<const clang::Expr*> factors;
  factors_of(bytes, factors);
  for (const clang::Expr* factor : factors) {
    const auto* one = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(factor);
    if (one != nullptr && one->getKind() == clang::UETT_SizeOf && size.element == 0 &&
        one->EvaluateAsInt(value, context_)) {
      size.element = value.Val.getInt().getLimitedValue();
      continue;
    }
    if (!size.count.empty()) size.count += " * ";
    print(factor, size.count);
  }
  // `sizeof(p)` where p is what is copied to or from.
  if (const auto* whole = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(bytes);
      whole != nullptr && whole->getKind() == clang::UETT_SizeOf && !whole->isArgumentType() &&
      model.operands.size() >= 2)
    for (const unsigned index : model.operands) {
      const auto* measured = llvm::dyn_cast<clang::DeclRefExpr>(strip(whole->getArgumentExpr()));
      const auto* copied = llvm::dyn_cast<clang::DeclRefExpr>(without_casts(expr.getArg(index)));
      if (measured == nullptr || copied == nullptr || measured->getDecl() != copied->getDecl())
        continue;
      const clang::QualType type = measured->getType().getNonReferenceType();
      size.of_pointer |= type->isPointerType() && !type->getPointeeType()->isPointerType();
    }
  return size;
}

/// What a copy copies, from where to where.
void Reader::describe_memory(const clang::CallExpr& expr, const clang::FunctionDecl* callee,
                             Call& call) {
  const bool callbacks = llvm::any_of(expr.arguments(), [](const clang::Expr* argument) {
    return argument->getType()->isFunctionPointerType() || argument->getType()->isFunctionType();
  });
  call.system = callee != nullptr && !callbacks && callee->isExternC() &&
                context_.getSourceManager().isInSystemHeader(callee->getLocation());
  if (call.model != nullptr && call.model->bytes) call.size = size_of_call(expr, *call.model);
  if (call.model == nullptr || call.model->kind != CallKind::kCopy ||
      call.model->operands.size() < 2)
    return;
  const auto argument = [&](std::optional<unsigned> index) {
    return index && *index < expr.getNumArgs() ? expr.getArg(*index) : nullptr;
  };
  const clang::Expr* to = argument(call.model->operands[0]);
  const clang::Expr* from = argument(call.model->operands[1]);
  if (to == nullptr || from == nullptr) return;
  call.extent = extent_of(to, from, argument(call.model->bytes));
  clang::Expr::EvalResult way;
  const clang::Expr* direction = argument(call.model->direction);
  if (direction == nullptr || direction->isValueDependent() ||
      !direction->EvaluateAsInt(way, context_))
    return;
  constexpr Direction kWays[] = {Direction::kHostToHost, Direction::kHostToDevice,
                                 Direction::kDeviceToHost, Direction::kDeviceToDevice};
  const std::uint64_t number = way.Val.getInt().getLimitedValue();
  if (number < std::size(kWays)) call.direction = kWays[number];
}

void Reader::read_kernel_launch(const clang::CUDAKernelCallExpr& expr) {
  const clang::FunctionDecl* kernel = expr.getDirectCallee();
  ReadCall call = new_call(expr, kernel, {});
  call.form = CallForm::kKernel;
  call.runs = nullptr;
  llvm::SmallVector<const clang::Expr*, 8> arguments(expr.arg_begin(), expr.arg_end());
  add_arguments(call, arguments, kernel, 0);
  // What did not parse may write anywhere.
  const clang::FunctionDecl* body = kernel;
  const bool readable = kernel != nullptr && (!kernel->hasBody(body) ||
                                              unreadable_.in(body->getSourceRange()).names.empty());
  for (std::uint32_t index = 0; index < call.arguments.size() && readable; ++index)
    if (call.arguments[index].role == Role::kMemory && index < kernel->getNumParams())
      call.arguments[index].pass = only_reads(*kernel, index) ? Pass::kValue : Pass::kMutable;
  finish_call(expr, std::move(call));
}

}  // namespace xfer::analyzer
