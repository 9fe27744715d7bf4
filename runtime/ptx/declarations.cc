#include "ptx/declarations.h"

#include <algorithm>
#include <bit>
#include <string>

namespace xfer::ptx {
namespace {

/// No program has larger ones; sums of sizes stay far from the end of 64 bits.
constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;
/// An initial value is written out.
constexpr std::uint64_t kLargestValue = std::uint64_t{1} << 28;
constexpr unsigned kLargestAlignment = 1U << 16;

class VariableReader {
 public:
  VariableReader(Lexer& lexer, Space space) : lexer_(lexer) { common_.space = space; }

  std::vector<Variable> read() {
    read_attributes();
    std::vector<Variable> variables;
    do {
      Variable variable = read_name();
      if (lexer_.take('=')) read_value(variable);
      variables.push_back(std::move(variable));
    } while (lexer_.take(','));
    return variables;
  }
  /// One, as a parameter is declared.
  Variable read_one() {
    read_attributes();
    return read_name();
  }

 private:
  void read_attributes() {
    bool typed = false;
    while (lexer_.token().kind == Token::Kind::kSuffix) {
      const std::string_view name = lexer_.next().text;
      if (name == "align") {
        const std::int64_t bytes = read_integer(lexer_);
        if (bytes <= 0 || bytes > kLargestAlignment || !std::has_single_bit(unsigned(bytes)))
          refuse(lexer_, "a power of two for .align");
        common_.alignment = static_cast<unsigned>(bytes);
      } else if (name == "v2" || name == "v4" || name == "v8") {
        common_.vector = static_cast<std::uint8_t>(name[1] - '0');
      } else if (name == "ptr") {
        common_.pointer = true;
      } else if (name == "attribute") {
        read_attribute_list();
      } else if (const auto type = type_named(name)) {
        common_.type = *type;
        typed = true;
      } else if (!space_named(name)) {  // `.ptr .global`
        refuse(lexer_, "a type instead of ." + std::string(name));
      }
    }
    if (!typed) refuse(lexer_, "a type");
  }
  /// `.attribute(.managed)`
  void read_attribute_list() {
    expect(lexer_, '(');
    while (!lexer_.token().is(')')) {
      if (lexer_.at_end()) refuse(lexer_, "`)`");
      common_.managed |= lexer_.next().is_suffix("managed");
    }
    lexer_.next();
  }
  /// `name[16]`
  Variable read_name() {
    Variable variable = common_;
    variable.name = read_word(lexer_);
    read_size(variable);
    return variable;
  }
  void read_size(Variable& variable) {
    std::uint64_t count = 1;
    while (lexer_.take('[')) {
      std::uint64_t dimension = 0;  // of `[]`
      if (!lexer_.token().is(']')) dimension = static_cast<std::uint64_t>(read_integer(lexer_));
      expect(lexer_, ']');
      if (dimension > kLargestVariable || count * dimension > kLargestVariable)
        refuse(lexer_, "a smaller variable");
      count *= dimension;
    }
    const std::uint64_t element = std::uint64_t{variable.type.size()} * variable.vector;
    variable.size = count * element;
    variable.alignment = std::max(variable.alignment, static_cast<unsigned>(element));
  }

  void read_value(Variable& variable) {
    if (variable.size > kLargestValue) refuse(lexer_, "a smaller variable with a value");
    if (!lexer_.take('{')) return put(variable);
    for (unsigned depth = 1; depth > 0;) {
      if (lexer_.take('{')) {
        ++depth;
      } else if (lexer_.take('}')) {
        --depth;
      } else if (!lexer_.take(',')) {
        put(variable);
      }
    }
  }
  /// One element: a number, or an address.
  void put(Variable& variable) {
    const unsigned size = variable.type.size();
    const std::size_t at = variable.value.size();
    if (at + size > std::max<std::uint64_t>(variable.size, kLargestValue * (variable.size == 0)))
      refuse(lexer_, "as many values as there are elements");
    variable.value.resize(at + size);
    if (lexer_.token().kind == Token::Kind::kWord) return put_address(variable, at, 0xFF);
    const bool negative = lexer_.take('-');
    const Token number = lexer_.next();
    std::uint64_t bits = number.bits;
    if (number.kind == Token::Kind::kInteger && lexer_.take('(')) {  // 0xFF00(name): one byte of it
      put_address(variable, at, static_cast<std::uint8_t>(std::countr_zero(bits | 1ULL << 63) / 8));
      return expect(lexer_, ')');
    }
    if (number.kind == Token::Kind::kFloat) {
      if (variable.type.kind == Type::Kind::kFloat && size == 4 && !number.single)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      if (negative) bits ^= std::uint64_t{1} << (size * 8 - 1);
    } else if (number.kind == Token::Kind::kInteger) {
      if (negative) bits = 0 - bits;
    } else {
      refuse(lexer_, "a value");
    }
    for (unsigned byte = 0; byte < size && byte < 8; ++byte)
      variable.value[at + byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
  }
  void put_address(Variable& variable, std::size_t at, std::uint8_t byte) {
    Relocation relocation;
    relocation.at = at;
    relocation.byte = byte;
    relocation.name = read_word(lexer_);
    if (relocation.name == "generic" && lexer_.take('(')) {
      relocation.generic = true;
      relocation.name = read_word(lexer_);
      relocation.offset = read_offset(lexer_);
      expect(lexer_, ')');
    }
    relocation.offset = read_offset(lexer_, relocation.offset);
    variable.relocations.push_back(relocation);
  }

  Lexer& lexer_;
  Variable common_;
};

}  // namespace

std::optional<Space> space_named(std::string_view name) {
  if (name == "global") return Space::kGlobal;
  if (name == "const") return Space::kConst;
  if (name == "shared") return Space::kShared;
  if (name == "local") return Space::kLocal;
  if (name == "param") return Space::kParam;
  if (name == "reg") return Space::kRegister;
  if (name == "tex") return Space::kTexture;
  return std::nullopt;
}

std::vector<Variable> read_variables(Lexer& lexer, Space space) {
  return VariableReader(lexer, space).read();
}

std::vector<Variable> read_parameters(Lexer& lexer) {
  std::vector<Variable> parameters;
  expect(lexer, '(');
  while (!lexer.token().is(')')) {
    if (!parameters.empty()) expect(lexer, ',');
    const Token space = lexer.next();
    const auto named =
        space.kind == Token::Kind::kSuffix ? space_named(space.text) : std::optional<Space>();
    if (named != Space::kParam && named != Space::kRegister) refuse(lexer, "`.param` or `.reg`");
    parameters.push_back(VariableReader(lexer, *named).read_one());
  }
  lexer.next();
  return parameters;
}

void refuse(const Lexer& lexer, std::string_view wanted) {
  const Token& token = lexer.token();
  const std::string at = token.kind == Token::Kind::kEnd
                             ? "the end of the text"
                             : "`" + std::string(token.text.substr(0, 40)) + "`";
  throw Fault(token.line, "expected " + std::string(wanted) + " before " + at);
}

void expect(Lexer& lexer, char sign) {
  if (!lexer.take(sign)) refuse(lexer, std::string("`") + sign + "`");
}

std::int64_t read_integer(Lexer& lexer) {
  const bool negative = lexer.take('-');
  if (lexer.token().kind != Token::Kind::kInteger) refuse(lexer, "a number");
  const std::uint64_t bits = lexer.next().bits;
  return static_cast<std::int64_t>(negative ? 0 - bits : bits);
}

std::int64_t read_offset(Lexer& lexer, std::int64_t offset) {
  if (!lexer.take('+') && !lexer.token().is('-')) return offset;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) +
                                   static_cast<std::uint64_t>(read_integer(lexer)));
}

std::string_view read_word(Lexer& lexer) {
  if (lexer.token().kind != Token::Kind::kWord) refuse(lexer, "a name");
  return lexer.next().text;
}

}  // namespace xfer::ptx
