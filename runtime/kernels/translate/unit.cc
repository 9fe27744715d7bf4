#include "kernels/translate/unit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>

#include "kernels/layout.h"
#include "kernels/translate/emitter.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

llvm::FunctionType* type_of(const ptx::Function& function, llvm::LLVMContext& context) {
  const std::size_t count =
      1 + (function.kernel ? 0 : function.parameters.size() + function.results.size());
  const std::vector<llvm::Type*> types(count, llvm::PointerType::getUnqual(context));
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
}

const ptx::Variable* find(const std::vector<ptx::Variable>& variables, std::string_view name) {
  const auto found = std::ranges::find(variables, name, &ptx::Variable::name);
  return found == variables.end() ? nullptr : &*found;
}

}  // namespace

void Unit::add_kernel(const ptx::Function& kernel, const ptx::Body& body, const std::string& name) {
  auto* const function = llvm::Function::Create(type_of(kernel, target_.getContext()),
                                                llvm::Function::ExternalLinkage, name, target_);
  Emitter(*this, kernel, body, function).run();
}

llvm::Function* Unit::function(std::string_view name, unsigned line) {
  if (const auto alias = source_.aliases.find(name); alias != source_.aliases.end())
    name = alias->second;
  const auto [entry, is_new] = callees_.try_emplace(name);
  Callee& callee = entry->second;
  if (!is_new) return callee.function;
  const ptx::Function* const source = source_.function(name);
  if (source == nullptr || source->declared) {
    callees_.erase(entry);
    throw ptx::Fault(line, "the function `" + std::string(name) + "` is not in this module");
  }
  callee.body = std::make_unique<ptx::Body>(ptx::read_body(*source));
  callee.function = llvm::Function::Create(type_of(*source, target_.getContext()),
                                           llvm::Function::InternalLinkage,
                                           "function." + std::string(name), target_);
  Emitter(*this, *source, *callee.body, callee.function).run();
  return callee.function;
}

std::optional<unsigned> Unit::variable(std::string_view name) {
  const ptx::Variable* const variable = find(source_.variables, name);
  if (variable == nullptr || variable->space == ptx::Space::kShared) return std::nullopt;
  const auto [place, is_new] =
      variable_places_.try_emplace(name, static_cast<unsigned>(variables_.size()));
  if (is_new) variables_.emplace_back(name);
  return place->second;
}

std::optional<std::uint64_t> Unit::shared_of_module(std::string_view name) {
  const ptx::Variable* const variable = find(source_.variables, name);
  if (variable == nullptr || variable->space != ptx::Space::kShared) return std::nullopt;
  if (variable->external && variable->size == 0) return kDynamic;
  const auto [place, is_new] = module_shared_.try_emplace(name, 0);
  if (is_new) place->second = place_shared(*variable);
  return place->second;
}

std::uint64_t Unit::place_shared(const ptx::Variable& variable) {
  shared_bytes_ = aligned(shared_bytes_, variable.alignment);
  const std::uint64_t place = shared_bytes_;
  shared_bytes_ += variable.size;
  return place;
}

std::uint64_t Unit::place_local(const ptx::Variable& variable) {
  local_bytes_ = aligned(local_bytes_, std::max(16U, variable.alignment));
  const std::uint64_t place = local_bytes_;
  local_bytes_ += variable.size;
  return place;
}

llvm::GlobalVariable* Unit::function_table() {
  if (function_table_ != nullptr) return function_table_;
  llvm::LLVMContext& context = target_.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::ArrayType* type = llvm::ArrayType::get(pointer, source_.functions.size() + 1);
  function_table_ = new llvm::GlobalVariable(
      target_, type, true, llvm::GlobalValue::InternalLinkage, nullptr, "functions");
  std::vector<llvm::Constant*> entries(source_.functions.size() + 1,
                                       llvm::Constant::getNullValue(pointer));
  std::size_t number = 0;
  for (const auto& [name, function] : source_.functions) {
    ++number;
    if (function.kernel || function.declared || !address_is_taken(name)) continue;
    entries[number] = this->function(name, function.line);
  }
  function_table_->setInitializer(llvm::ConstantArray::get(type, entries));
  return function_table_;
}

/// By the first value of a variable, or by code: an instruction that names it and is no call.
bool Unit::address_is_taken(std::string_view name) const {
  for (const ptx::Variable& variable : source_.variables)
    for (const ptx::Relocation& relocation : variable.relocations)
      if (relocation.name == name) return true;
  const std::string moved = ", " + std::string(name) + ";";
  return std::ranges::any_of(source_.functions, [&](const auto& entry) {
    return entry.second.text.find(moved) != std::string_view::npos;
  });
}

}  // namespace xfer::kernels
