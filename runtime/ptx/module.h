#pragma once
// The contents of a text of PTX: variables, and functions of instructions. Names are views into the
// text, which must outlive the module.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/fault.h"
#include "ptx/type.h"

namespace xfer::ptx {

/// A register's place in its function.
using RegisterId = std::uint32_t;

enum class Space : std::uint8_t { kGlobal, kConst, kShared, kLocal, kParam, kRegister, kTexture };

/// Where an initial value holds an address: `generic(name) + offset`.
struct Relocation {
  std::size_t at = 0;  ///< bytes into the variable
  std::string_view name;
  std::int64_t offset = 0;
  bool generic = false;      ///< the address in the generic space, not in the variable's own
  std::uint8_t byte = 0xFF;  ///< of `0xFF00(name)`: which byte of it stands here; 0xFF: all
};

struct Variable {
  std::string_view name;
  Space space = Space::kGlobal;
  Type type;
  std::uint8_t vector = 1;  ///< of `.v4`
  unsigned alignment = 1;   ///< bytes
  std::uint64_t size = 0;   ///< bytes, of all elements; 0: of `name[]`, as many as somebody says
  std::vector<std::uint8_t> value;  ///< the first bytes; what is missing is 0
  std::vector<Relocation> relocations;
  bool external = false, weak = false, managed = false;
  bool visible = false;  ///< other modules may mean it by its name
  bool pointer = false;  ///< of a parameter: `.ptr`
};

struct Operand {
  enum class Kind : std::uint8_t {
    kRegister,
    kSpecial,  ///< `%tid.x`
    kInteger,
    kFloat,
    kSymbol,   ///< a variable, a function, a parameter or a label
    kVector,   ///< `{a, b}`; of `p|q` too
    kAddress,  ///< `[base+offset]`, `[texture, {x, y}]`: the base, then what follows a comma
    kList,     ///< `(a, b)` of a call
    kNothing,  ///< `_`
  };

  Kind kind = Kind::kNothing;
  bool negated = false;        ///< `!%p1`, `-%r1`
  bool single = false;         ///< of kFloat: an f32
  RegisterId reg = 0;          ///< of kRegister
  std::string_view name;       ///< as written; of kSpecial without the component
  char component = '\0';       ///< `x`, `y`, `z`, `w` of `name.x`
  std::string_view part;       ///< `b0`, `h1`, `h10`, `b7654` of a video instruction's `%r1.b0`
  std::uint64_t bits = 0;      ///< of kInteger and kFloat
  std::int64_t offset = 0;     ///< of kAddress, and of `symbol+4`
  std::vector<Operand> parts;  ///< of kVector, kAddress and kList

  bool is(Kind what) const { return kind == what; }
};

struct Instruction {
  std::string_view operation;               ///< `ld`
  std::vector<std::string_view> modifiers;  ///< `global`, `u32`
  std::vector<Operand> operands;
  std::optional<Operand> guard;  ///< the predicate of `@%p1` and `@!%p1`
  unsigned line = 0;             ///< in the text
  unsigned source_line = 0;      ///< by the `.loc` before it; 0: there is none

  bool has(std::string_view modifier) const;
  bool branches() const { return operation == "bra" || operation == "brx"; }
  bool returns() const { return operation == "ret" || operation == "exit"; }
};

/// A list that an indirect branch or call names: `.branchtargets`, `.calltargets`.
using Targets = std::vector<std::string_view>;

struct Prototype {
  std::vector<Variable> results, parameters;
};

struct Body {
  std::vector<Type> registers;      ///< by RegisterId
  std::vector<Variable> variables;  ///< .local, .shared and .param of its own
  std::vector<Instruction> instructions;
  std::unordered_map<std::string_view, std::size_t> labels;  ///< the instruction behind each
  std::unordered_map<std::string_view, Targets> targets;
  std::unordered_map<std::string_view, Prototype> prototypes;
};

struct Function {
  std::string_view name;
  bool kernel = false;    ///< .entry
  bool declared = false;  ///< it has no body here
  bool weak = false;
  bool visible = false;  ///< other modules may mean it by its name
  std::vector<Variable> results, parameters;
  /// `.maxntid 256, 1, 1`, by name, without the dot.
  std::map<std::string_view, std::vector<std::uint64_t>> limits;
  std::string_view text;  ///< of the body, braces and all
  unsigned line = 0;      ///< on which that begins
};

struct Module {
  unsigned version = 0;     ///< 90 of 9.0
  std::string_view target;  ///< `sm_90a`
  std::vector<Variable> variables;
  std::map<std::string_view, Function> functions;
  std::map<std::string_view, std::string_view> aliases;  ///< to functions
  /// Errors in declarations that could not be read: the rest stands.
  std::vector<Fault> faults;

  /// Null: there is no such function.
  const Function* function(std::string_view name) const;
};

}  // namespace xfer::ptx
