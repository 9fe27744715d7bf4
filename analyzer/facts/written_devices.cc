#include "analyzer/facts/written_devices.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {

Device enumerated_device(const clang::EnumType& type, const llvm::APSInt& value,
                         const ModelSet& models) {
  for (const clang::EnumConstantDecl* constant : type.getDecl()->enumerators()) {
    if (llvm::APSInt::compareValues(constant->getInitVal(), value) != 0) continue;
    if (models.names_cpu(constant->getName())) return Device::cpu();
    if (models.names_cuda(constant->getName())) return Device::cuda(Device::kCurrent);
  }
  return Device::unknown();
}

namespace {

/// "cpu", "cuda", "cuda:1"
std::optional<Device> device_from_text(llvm::StringRef text, const ModelSet& models) {
  const auto [word, number] = text.split(':');
  if (models.names_cpu(text)) return Device::cpu();
  if (models.names_cuda(text)) return Device::cuda(Device::kCurrent);
  int index = 0;
  if (models.names_cuda(word) && !number.getAsInteger(10, index) && index >= 0)
    return Device::cuda(index);
  return std::nullopt;
}

}  // namespace

bool is_text(clang::QualType type, Types& types) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) return type->getPointeeType()->isCharType();
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  const std::string& name = types.qualified_name(*record);
  return name == "std::basic_string" || name == "std::basic_string_view" || name == "std::string";
}

std::optional<Device> constant_device(llvm::ArrayRef<const clang::Expr*> arguments,
                                      const clang::ASTContext& context, Types& types) {
  if (arguments.empty() || llvm::isa<clang::CXXDefaultArgExpr>(arguments.front()))
    return std::nullopt;
  const clang::Expr* first = strip(arguments.front());
  if (first->getType().isNull()) return Device::unknown();
  if (const clang::StringLiteral* text = find_literal(first))
    return device_from_text(text->getString(), types.models()).value_or(Device::unknown());
  if (types.of(first->getType()).role == Role::kNone)
    return first->getType()->isArithmeticType() ? std::nullopt
                                                : std::optional<Device>(Device::unknown());
  const bool indexed = arguments.size() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(arguments[1]) &&
                       arguments[1]->getType()->isIntegralOrEnumerationType();
  const auto* enumeration = first->getType()->getAs<clang::EnumType>();
  if (!indexed || enumeration == nullptr || types.of(first->getType()).role != Role::kDevice)
    return std::nullopt;
  clang::Expr::EvalResult kind;
  clang::Expr::EvalResult index;
  if (first->isValueDependent() || !first->EvaluateAsInt(kind, context)) return Device::unknown();
  const Device named = enumerated_device(*enumeration, kind.Val.getInt(), types.models());
  if (!named.is_cuda()) return named;
  if (arguments[1]->isValueDependent() || !arguments[1]->EvaluateAsInt(index, context))
    return Device::unknown();
  return Device::cuda(static_cast<std::int32_t>(index.Val.getInt().getExtValue()));
}

bool names_some_cuda(const clang::Expr& text, Types& types) {
  const clang::Expr* first = strip(&text);
  for (unsigned depth = 0; depth < 8; ++depth) {
    if (const auto* joined = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(first);
        joined != nullptr && joined->getOperator() == clang::OO_Plus)
      first = strip(joined->getArg(0));
    else if (const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(first);
             made != nullptr && made->getNumArgs() != 0)
      first = strip(made->getArg(0));
    else
      break;
  }
  const clang::StringLiteral* literal = find_literal(first);
  return literal != nullptr && literal->isOrdinary() &&
         types.models().names_cuda(literal->getString().rtrim(':'));
}

Device indexed_device(const clang::Expr& index, const clang::ASTContext& context) {
  clang::Expr::EvalResult number;
  if (!index.getType()->isIntegerType() || index.isValueDependent() ||
      !index.EvaluateAsInt(number, context))
    return Device::unknown();
  return Device::cuda(static_cast<std::int32_t>(number.Val.getInt().getExtValue()));
}

std::optional<Device> written_device(const clang::Expr* expr, const clang::ASTContext& context,
                                     Types& types) {
  for (unsigned depth = 0; expr != nullptr && depth < 8; ++depth) {
    expr = strip(expr);
    if (expr->getType().isNull() || expr->isValueDependent()) return std::nullopt;
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
      expr = list->getNumInits() == 1 ? list->getInit(0) : nullptr;
    } else if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
      const llvm::SmallVector<const clang::Expr*, 2> arguments(construct->arg_begin(),
                                                               construct->arg_end());
      if (const std::optional<Device> known = constant_device(arguments, context, types))
        return known;
      expr = arguments.empty() ? nullptr : arguments.front();
    } else {
      clang::Expr::EvalResult result;
      const auto* enumeration = expr->getType()->getAs<clang::EnumType>();
      if (enumeration == nullptr || types.of(expr->getType()).role != Role::kDevice ||
          !expr->EvaluateAsInt(result, context))
        return std::nullopt;
      const Device named = enumerated_device(*enumeration, result.Val.getInt(), types.models());
      return named.is_known() ? std::optional<Device>(named) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace xfer::analyzer
