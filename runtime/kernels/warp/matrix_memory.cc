#include "kernels/warp/matrix_memory.h"

#include <llvm/IR/DataLayout.h>

#include <algorithm>

#include "kernels/matrix/warp_registers.h"

namespace xfer::kernels {
namespace {

using matrix::kWordBytes;

constexpr llvm::StringLiteral kMark = "xfer.matrix";

bool is_matrix_call(const llvm::User* user) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         is_matrix_function(*call->getCalledFunction());
}

bool is_step(const llvm::User* user) {
  const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
  return step != nullptr && step->hasAllConstantIndices();
}

/// Words, or a part of one that is read.
bool is_whole(llvm::Value* pointer, llvm::Type* type, bool stored, const llvm::DataLayout& layout) {
  const auto place = matrix_place(pointer);
  const std::uint64_t bytes = layout.getTypeStoreSize(type);
  if (!place || !type->isSingleValueType() || type->isVectorTy() || type->isPointerTy())
    return false;
  if (bytes % kWordBytes == 0) return bytes <= 2 * kWordBytes && place->offset % kWordBytes == 0;
  return !stored && bytes < kWordBytes && place->offset % kWordBytes + bytes <= kWordBytes;
}

}  // namespace

void mark_matrix_memory(llvm::AllocaInst& memory) {
  memory.setMetadata(kMark, llvm::MDNode::get(memory.getContext(), {}));
}

bool is_matrix_memory(const llvm::Value& value) {
  const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&value);
  return memory != nullptr && memory->hasMetadata(kMark);
}

std::optional<MatrixPlace> matrix_place(llvm::Value* pointer) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(pointer);
  if (instruction == nullptr) return std::nullopt;
  const llvm::DataLayout& layout = instruction->getDataLayout();
  llvm::APInt offset(64, 0);
  llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (!is_matrix_memory(*base) || offset.uge(sizeof(matrix::Registers))) return std::nullopt;
  return MatrixPlace{llvm::cast<llvm::AllocaInst>(base),
                     static_cast<unsigned>(offset.getZExtValue())};
}

/// All of them but the one of a register have it as their last argument.
std::optional<std::string> wrong_with_matrix_call(const llvm::CallInst& call) {
  llvm::Value* last = call.getArgOperand(call.arg_size() - 1);
  if (!last->getType()->isPointerTy()) return std::nullopt;
  const auto place = matrix_place(last);
  return place && place->offset == 0 ? std::nullopt
                                     : std::optional<std::string>("its matrices are elsewhere");
}

std::optional<std::string> wrong_with_matrix_memory(llvm::AllocaInst& memory) {
  const llvm::DataLayout& layout = memory.getDataLayout();
  std::vector<llvm::Value*> pointers{&memory};
  while (!pointers.empty()) {
    llvm::Value* pointer = pointers.back();
    pointers.pop_back();
    for (llvm::User* user : pointer->users()) {
      if (is_step(user)) {
        pointers.push_back(user);
        continue;
      }
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const bool right = (load != nullptr && is_whole(pointer, load->getType(), false, layout)) ||
                         (store != nullptr && store->getValueOperand() != pointer &&
                          is_whole(pointer, store->getValueOperand()->getType(), true, layout)) ||
                         is_matrix_call(user) ||
                         llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd();
      if (!right) return "it takes the registers of matrices apart";
    }
  }
  return std::nullopt;
}

}  // namespace xfer::kernels
