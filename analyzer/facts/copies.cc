// What copies of memory, allocations and kernel launches are told: how many bytes, which part, in
// which direction, and what a kernel only reads.

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "analyzer/facts/kernel_uses.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// `d` of `&d`, `(void**)&d`, if that is a pointer.
const clang::Expr* pointer_at(const clang::Expr* address) {
  const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(without_casts(address));
  return unary == nullptr || unary->getOpcode() != clang::UO_AddrOf ? nullptr : unary->getSubExpr();
}

}  // namespace

Size Reader::size_of_call(const clang::CallExpr& expr, const FunctionModel& model) {
  Size size;
  if (*model.bytes >= expr.getNumArgs()) return size;
  const clang::Expr* bytes = without_casts(expr.getArg(*model.bytes));
  if (bytes->isValueDependent()) return size;
  llvm::raw_string_ostream out(size.text);
  bytes->printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
  size.bytes = formula_of(bytes);
  if (model.kind == CallKind::kCopy) {
    for (const unsigned index : model.operands)
      if (index < expr.getNumArgs() && size.element < 2)
        size.element = pointee_size(strip(expr.getArg(index)));
  } else if (expr.getNumArgs() > 0) {
    const clang::Expr* pointer = pointer_at(expr.getArg(0));
    if (pointer != nullptr) size.element = pointee_size(pointer);
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
  call.extent = {pointer_formula(to), pointer_formula(from)};
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
  const std::vector<PointerUse> uses = readable ? pointer_uses(*kernel) : std::vector<PointerUse>();
  for (std::size_t index = 0; index < std::min(call.arguments.size(), uses.size()); ++index) {
    Operand& argument = call.arguments[index];
    if (argument.role != Role::kMemory) continue;
    argument.pass = uses[index].only_reads ? Pass::kValue : Pass::kMutable;
    argument.reads_first = uses[index].reads_first;
  }
  finish_call(expr, std::move(call));
}

}  // namespace xfer::analyzer
