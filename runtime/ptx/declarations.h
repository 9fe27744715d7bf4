#pragma once
// Variables, parameters and their initial values, wherever they are declared.

#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace xfer::ptx {

/// The part behind the state space: `.align 4 .b8 name[16] = {1, 2}`, `.u32 a, b`. Up to the
/// semicolon, which it leaves. Throws Fault.
std::vector<Variable> read_variables(Lexer& lexer, Space space);

/// `(.param .u64 a, .reg .b32 b)`. Throws Fault.
std::vector<Variable> read_parameters(Lexer& lexer);

/// Of `.global` and its kin; nothing: it names no space in which variables are.
std::optional<Space> space_named(std::string_view name);

/// Takes the token at hand, which must be the sign. Throws Fault.
void expect(Lexer& lexer, char sign);
/// Takes an integer, or minus one. Throws Fault.
std::int64_t read_integer(Lexer& lexer);
/// Takes `+8`, `-8` or nothing; returns `offset` with it, as addresses add up. Throws Fault.
std::int64_t read_offset(Lexer& lexer, std::int64_t offset = 0);
/// Takes a word. Throws Fault.
std::string_view read_word(Lexer& lexer);
/// Throws Fault: names the token at hand and `wanted`, which should stand before it.
[[noreturn]] void refuse(const Lexer& lexer, std::string_view wanted);

}  // namespace xfer::ptx
