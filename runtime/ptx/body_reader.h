#pragma once
// Reads what stands between the braces of a function.

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace xfer::ptx {

class BodyReader {
 public:
  explicit BodyReader(const Function& function) : lexer_(function.text, function.line) {}

  /// Throws Fault.
  Body read();

 private:
  /// `%r<21>` is a range of registers: %r0 to %r20.
  struct Range {
    RegisterId first = 0;
    std::uint64_t count = 0;
  };
  /// Names of one pair of braces.
  struct Scope {
    std::unordered_map<std::string_view, RegisterId> registers;
    std::unordered_map<std::string_view, Range> ranges;
  };

  void read_statement();
  void read_directive();
  void read_registers();
  void read_label(std::string_view name);
  void read_instruction();
  Operand read_operand();
  Operand read_operand_within();
  Operand read_name();
  Operand read_address();
  Operand read_group(char end, Operand::Kind kind);
  Operand read_number(bool negative);
  std::optional<RegisterId> find_register(std::string_view name) const;

  Lexer lexer_;
  Body body_;
  std::vector<Scope> scopes_;
  unsigned source_line_ = 0;
  unsigned depth_ = 0;  ///< brackets around what is read
};

}  // namespace xfer::ptx
