#pragma once
// An instruction with what its modifiers say, read once.

#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace xfer::kernels {

/// An instruction that cannot be run. Never returns.
[[noreturn]] void refuse(const ptx::Instruction& instruction, std::string_view why);

class Form {
 public:
  explicit Form(const ptx::Instruction& instruction);

  const ptx::Instruction& instruction() const { return *instruction_; }
  bool has(std::string_view modifier) const { return instruction_->has(modifier); }
  /// The n-th type among the modifiers. Throws ptx::Fault where there is none.
  ptx::Type type(std::size_t n = 0) const;
  std::size_t type_count() const { return types_.size(); }
  /// Throws ptx::Fault where there is none.
  const ptx::Operand& operand(std::size_t n) const;
  std::size_t operand_count() const { return instruction_->operands.size(); }
  /// Of the space that the instruction names; nothing: the generic one.
  std::string_view space() const;
  /// How many elements `.v2`, `.v4` and `.v8` move.
  unsigned vector() const;
  [[noreturn]] void refuse(std::string_view why) const { kernels::refuse(*instruction_, why); }

 private:
  const ptx::Instruction* instruction_;
  std::vector<ptx::Type> types_;
};

inline bool is_float(ptx::Type type) {
  return type.kind == ptx::Type::Kind::kFloat || type.kind == ptx::Type::Kind::kBrain;
}
inline bool is_signed(ptx::Type type) { return type.kind == ptx::Type::Kind::kSigned; }

}  // namespace xfer::kernels
