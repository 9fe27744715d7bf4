// The arguments of copies and allocations: number of bytes, part of the memory, direction.

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
Size Reader::size_of_call(const clang::CallExpr& expr, const FunctionModel& model) {
  Size size;
  if (*model.bytes >= expr.getNumArgs()) return size;
  const clang::Expr* bytes = without_casts(expr.getArg(*model.bytes));
  if (bytes->isValueDependent()) return size;
  llvm::raw_string_ostream out(size.text);
  bytes->printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
  size.bytes = formula_of(bytes);
  if (model.rows && *model.rows < expr.getNumArgs()) {
    const clang::Expr* rows = without_casts(expr.getArg(*model.rows));
    const Formula count = formula_of(rows);
    const bool known = size.bytes.sum && count.sum;
    size.bytes.sum = known ? size.bytes.sum->times(*count.sum) : std::nullopt;
    out << " * ";
    rows->printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
  }
  if (model.kind == CallKind::kCopy) {
    for (const unsigned index : model.operands)
      if (index < expr.getNumArgs() && size.element < 2)
        size.element = pointee_size(strip(expr.getArg(index)));
  } else if (expr.getNumArgs() > 0) {
    const clang::Expr* pointer = addressed_by(expr.getArg(0));
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

/// `new T[n]` allocates as `malloc(n * sizeof(T))` does.
bool Reader::read_new_array(const clang::CXXNewExpr& expr) {
  const FunctionModel* row = models_.find("malloc", 1);
  const clang::Expr* count = expr.getArraySize().value_or(nullptr);
  const clang::QualType element = expr.getAllocatedType();
  if (row == nullptr || row->kind != CallKind::kAllocate || count == nullptr ||
      expr.getNumPlacementArgs() != 0 || element->isDependentType() || element->isIncompleteType())
    return false;
  ReadCall call = new_call(expr, nullptr, types_.of(expr.getType()));
  call.model = row;
  call.name = "new";
  call.at_once = true;
  call.size.element =
      static_cast<std::uint64_t>(context_.getTypeSizeInChars(element).getQuantity());
  llvm::raw_string_ostream out(call.size.text);
  clang::Expr const* bare = without_casts(count);
  bare->printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
  out << " * sizeof(" << element.getAsString(clang::PrintingPolicy(context_.getLangOpts())) << ")";
  const Formula elements = formula_of(bare);
  const auto unit = Polynomial::constant(static_cast<std::int64_t>(call.size.element));
  if (elements.sum) call.size.bytes = {elements.sum->times(unit), true};
  finish_call(expr, std::move(call));
  return true;
}

/// The numbers and the offsets that a function of the project is given; of a vector, how many
/// elements it has.
std::vector<Formula> Reader::numbers_given(const clang::Expr& call,
                                           const clang::FunctionDecl& callee) {
  std::vector<Formula> numbers;
  for (unsigned index = 0; index < callee.getNumParams(); ++index) {
    const clang::Expr* given = as_given(argument_of(call, index));
    if (given == nullptr) break;
    const clang::QualType type = callee.getParamDecl(index)->getType();
    numbers.push_back(types_.is_pointer(type)                       ? pointer_formula(given)
                      : type->isIntegralOrUnscopedEnumerationType() ? formula_of(given)
                                                                    : elements_of(*strip(given)));
  }
  return numbers;
}

/// `cudaMalloc(&p[i], n)`: a pointer is written to where `p` points.
void Reader::write_out_pointer(const clang::CallExpr& expr, const Call& call) {
  if (call.model == nullptr || call.model->kind != CallKind::kAllocate ||
      call.result.role == Role::kMemory || expr.getNumArgs() == 0 || call.arguments.front().address)
    return;
  const clang::Expr* pointer = pointer_base(expr.getArg(0));
  const ValueId value = pointer == nullptr ? ValueId() : value_of(pointer);
  if (!value) return;
  fact::Access access;
  access.pointer = value;
  access.writes = true;
  access.spot = spot(pointer->getSourceRange());
  access.place = place_of(pointer);
  emit(std::move(access), &expr);
}

/// Describes the memory that a call works on; of a copy, its extent and its direction.
void Reader::describe_memory(const clang::CallExpr& expr, const clang::FunctionDecl* callee,
                             Call& call) {
  const bool callbacks = llvm::any_of(expr.arguments(), [](const clang::Expr* argument) {
    return argument->getType()->isFunctionPointerType() || argument->getType()->isFunctionType();
  });
  call.system =
      callee != nullptr && !callbacks && callee->isExternC() && is_in_system_header(*callee);
  call.quiet = quiet_.is_quiet(callee);
  if (call.model == nullptr && callee != nullptr && summarised(callee) != nullptr)
    call.numbers = numbers_given(expr, *callee);
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
  const auto bytes_of = [&](const clang::Expr* side, unsigned operand) {
    // A symbol may be named by its text, which is not what is copied.
    const bool named = call.model->symbol == operand && find_literal(side) != nullptr;
    return named ? Formula{} : bytes_behind(side);
  };
  call.extent = std::make_shared<Extent>(Extent{pointer_formula(to),
                                                pointer_formula(from),
                                                bytes_of(to, call.model->operands[0]),
                                                bytes_of(from, call.model->operands[1]),
                                                {},
                                                {}});
  if (const FieldSizes::Size* size = allocated_elsewhere(to))
    call.extent->to_made = spot(size->made->getSourceRange());
  if (const FieldSizes::Size* size = allocated_elsewhere(from))
    call.extent->from_made = spot(size->made->getSourceRange());
  if (const clang::Expr* offset = argument(call.model->offset)) {
    const bool target = call.model->symbol == call.model->operands[0];
    const Formula begins = formula_of(as_given(offset));
    (target ? call.extent->to : call.extent->from) = begins;
    Formula& rest = target ? call.extent->to_has : call.extent->from_has;
    rest.sum = rest.sum && begins.sum ? rest.sum->minus(*begins.sum) : std::nullopt;
  }
  call.direction = call.model->way;
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

}  // namespace xfer::analyzer
