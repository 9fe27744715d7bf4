#pragma once
// The memory through which a kernel's thread hands matrices to the library: matrix::Registers. A
// warp has all lanes' in one place, as in matrix/warp_registers.h.

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <string>

namespace xfer::kernels {

/// Of matrix.h, where the lanes of a warp meet. Its name goes on behind the prefix.
inline constexpr llvm::StringLiteral kMatrixFunction = "xfer_matrix_";
inline bool is_matrix_function(const llvm::Function& function) {
  return function.getName().starts_with(kMatrixFunction);
}

/// As it is made. Its users are many, so that the mark alone tells it.
void mark_matrix_memory(llvm::AllocaInst& memory);
bool is_matrix_memory(const llvm::Value& value);

struct MatrixPlace {
  llvm::AllocaInst* memory;
  unsigned offset;  ///< in bytes
};

/// Where a pointer leads to in matrix memory; nothing: elsewhere, or unknown.
std::optional<MatrixPlace> matrix_place(llvm::Value* pointer);

/// Why a warp cannot run the call of a matrix function, or use the memory; nothing: it can.
std::optional<std::string> wrong_with_matrix_call(const llvm::CallInst& call);
std::optional<std::string> wrong_with_matrix_memory(llvm::AllocaInst& memory);

}  // namespace xfer::kernels
