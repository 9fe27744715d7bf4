#include "kernels/translate/unit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>

#include "kernels/layout.h"
#include "kernels/translate/emitter.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

/// A function that is no kernel returns whether the thread has ended in it.
llvm::FunctionType* type_of(const ptx::Function& function, llvm::LLVMContext& context) {
  const std::size_t count =
      1 + (function.kernel ? 0 : function.parameters.size() + function.results.size());
  const std::vector<llvm::Type*> types(count, llvm::PointerType::getUnqual(context));
  llvm::Type* result =
      function.kernel ? llvm::Type::getVoidTy(context) : llvm::Type::getInt1Ty(context);
  return llvm::FunctionType::get(result, types, false);
}

}  // namespace

llvm::Function* Unit::create(const Definition& definition, llvm::GlobalValue::LinkageTypes linkage,
                             const std::string& name) {
  auto* const function = llvm::Function::Create(type_of(*definition.function, target_.getContext()),
                                                linkage, name, target_);
  if (lines_) lines_->add(*function, definition);
  return function;
}

void Unit::add_kernel(const Definition& kernel, const ptx::Body& body, const std::string& name) {
  Emitter(*this, kernel, body, create(kernel, llvm::Function::ExternalLinkage, name)).run();
}

llvm::Function* Unit::function(const Definition& definition) {
  const auto [entry, is_new] = callees_.try_emplace(definition.function);
  Callee& callee = entry->second;
  if (!is_new) return callee.function;
  const ptx::Function& source = *definition.function;
  callee.body = std::make_unique<ptx::Body>(ptx::read_body(source));
  callee.function =
      create(definition, llvm::Function::InternalLinkage, "function." + std::string(source.name));
  Emitter(*this, definition, *callee.body, callee.function).run();
  return callee.function;
}

unsigned Unit::place_on_device(const ptx::Variable& variable) {
  const auto [place, is_new] =
      variable_places_.try_emplace(&variable, static_cast<unsigned>(variables_.size()));
  if (is_new) variables_.push_back(source_.name_of(variable));
  return place->second;
}

std::uint64_t Unit::offset_in_shared(const ptx::Variable& variable) {
  if (variable.external && variable.size == 0) return kDynamic;
  const auto [place, is_new] = shared_offsets_.try_emplace(&variable, 0);
  if (is_new) place->second = place_shared(variable);
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
  llvm::ArrayType* type = llvm::ArrayType::get(pointer, source_.functions().size() + 1);
  function_table_ = new llvm::GlobalVariable(
      target_, type, true, llvm::GlobalValue::InternalLinkage, nullptr, "functions");
  std::vector<llvm::Constant*> entries(source_.functions().size() + 1,
                                       llvm::Constant::getNullValue(pointer));
  std::size_t number = 0;
  for (const Definition& definition : source_.functions()) {
    ++number;
    const ptx::Function& function = *definition.function;
    if (!function.kernel && source_.address_is_taken(function))
      entries[number] = this->function(definition);
  }
  function_table_->setInitializer(llvm::ConstantArray::get(type, entries));
  return function_table_;
}

}  // namespace xfer::kernels
