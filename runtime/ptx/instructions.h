#pragma once
// The instructions of PTX: instructions.def.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace xfer::ptx {

/// The effect of an instruction on its first operand and on memory.
enum class Effect : std::uint8_t {
  kAddress,  ///< makes a value that is an address if one of the others is
  kSum,      ///< the same of its last operand: the others are factors
  kNumber,   ///< makes a value that is no address
  kNothing,  ///< neither makes a value that counts nor follows an address
  kLoad,
  kStore,
  kAtomic,   ///< both
  kCopy,     ///< `cp`: from memory to memory
  kMatrix,   ///< `wmma`: loads, stores or computes, as its modifiers say
  kTexture,  ///< reads through a texture
  kMemory,   ///< follows addresses in other ways
  kCall,
};

struct InstructionRow {
  std::string_view name;
  Effect effect = Effect::kNothing;
  unsigned fewest = 0, most = 0;  ///< operands
  std::string_view modifiers;
};

/// Null: PTX has no such instruction.
const InstructionRow* row_of(std::string_view operation);

/// The part that PTX lacks: the instruction, a modifier, so many operands; nothing: it is right.
std::optional<std::string> wrong_with(const Instruction& instruction);

}  // namespace xfer::ptx
