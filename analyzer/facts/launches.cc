// Launches of kernels: what each is given, and what it does with that.

#include "analyzer/facts/launches.h"

#include <algorithm>

#include "analyzer/facts/kernel_names.h"
#include "analyzer/facts/kernel_uses.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

std::optional<LaunchCall> launch_call(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr) return std::nullopt;
  const llvm::StringRef name = callee->getName();
  const bool plain = name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" ||
                     name == "hipLaunchKernel" || name == "hipLaunchCooperativeKernel";
  if (plain && call.getNumArgs() > 3) return LaunchCall{0, 3};
  const bool loaded = name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel" ||
                      name == "hipModuleLaunchKernel";
  if (loaded && call.getNumArgs() > 9) return LaunchCall{0, 9};
  if (name == "cudaLaunchKernelExC" && call.getNumArgs() > 2) return LaunchCall{1, 2};
  return std::nullopt;
}

llvm::SmallVector<const clang::UnaryOperator*, 8> launch_arguments(const clang::VarDecl& array) {
  llvm::SmallVector<const clang::UnaryOperator*, 8> found;
  const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(array.getInit());
  if (list == nullptr || !array.getType()->isArrayType() || !array.hasLocalStorage()) return {};
  for (const clang::Expr* init : list->inits()) {
    const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(without_casts(init));
    if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return {};
    found.push_back(address);
  }
  return found;
}

/// Describes what all of these kernels do with the memory that they are given; none: unknown which
/// kernel it is.
void Reader::describe_uses(llvm::ArrayRef<const clang::FunctionDecl*> kernels, Call& call) {
  for (const clang::FunctionDecl* kernel : kernels) {
    const clang::FunctionDecl* body = kernel;
    // Statements that did not parse may write anywhere.
    const bool readable =
        !kernel->hasBody(body) || unreadable_.in(body->getSourceRange()).names.empty();
    if (kernels.size() == 1 && !kernel->hasBody(body)) call.kernel = declarations_.of(kernel);
    std::vector<ParameterUse> uses =
        readable ? parameter_uses(*kernel) : std::vector<ParameterUse>();
    uses.resize(call.arguments.size());
    for (std::size_t index = 0; index < uses.size(); ++index) {
      Operand& argument = call.arguments[index];
      const bool object = argument.role == Role::kRecord && readable && kernels.size() == 1;
      if (argument.role != Role::kMemory && !object) continue;
      if (argument.use == nullptr)
        argument.use = std::make_shared<ParameterUse>(uses[index]);
      else
        argument.use->meet(uses[index]);
      if (!object) argument.pass = argument.use->only_reads ? Pass::kValue : Pass::kMutable;
    }
  }
}

/// `named` is what names the kernel; `kernel` is null where nobody knows which it is.
ReadCall Reader::new_launch(const clang::CallExpr& expr, const clang::FunctionDecl* kernel,
                            const clang::Expr* named) {
  ReadCall call = new_call(expr, kernel, {});
  call.form = CallForm::kKernel;
  call.runs = nullptr;
  const auto* holder = llvm::dyn_cast_or_null<clang::NamedDecl>(root_of(named));
  if (kernel == nullptr && holder != nullptr) call.name = holder->getNameAsString();
  return call;
}

void Reader::read_kernel_launch(const clang::CUDAKernelCallExpr& expr) {
  const auto kernels = kernels_named(expr.getCallee(), function_);
  const clang::FunctionDecl* kernel =
      kernels.size() == 1 ? kernels.front() : expr.getDirectCallee();
  ReadCall call = new_launch(expr, kernel, expr.getCallee());
  llvm::SmallVector<const clang::Expr*, 8> arguments(expr.arg_begin(), expr.arg_end());
  add_arguments(call, arguments, kernel, 0);
  describe_uses(kernels, call);
  finish_call(expr, std::move(call));
}

/// True: it is such a call, and all that it gives the kernel is known.
bool Reader::read_launch_call(const clang::CallExpr& expr) {
  const std::optional<LaunchCall> launch = launch_call(expr);
  if (!launch) return false;
  const clang::VarDecl* array = variable_named(without_casts(expr.getArg(launch->arguments)));
  if (array == nullptr || !memory_.launched.contains(array)) return false;
  const auto kernels = kernels_named(expr.getArg(launch->kernel), function_);
  const clang::FunctionDecl* kernel = kernels.empty() ? nullptr : kernels.front();
  ReadCall call = new_launch(expr, kernel, expr.getArg(launch->kernel));
  llvm::SmallVector<const clang::Expr*, 8> arguments;
  for (const clang::UnaryOperator* address : launch_arguments(*array))
    arguments.push_back(address->getSubExpr());
  add_arguments(call, arguments, kernel, 0);
  // The kernel gets what the variables hold now.
  for (Operand& argument : call.arguments)
    if (argument.place && (argument.role == Role::kMemory || argument.role == Role::kRecord))
      argument.value = make(fact::Load{argument.place}, nullptr);
  describe_uses(kernels, call);
  finish_call(expr, std::move(call));
  return true;
}

}  // namespace xfer::analyzer
