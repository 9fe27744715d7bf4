#include "ptx/body_reader.h"

#include <charconv>
#include <string>
#include <utility>

#include "ptx/declarations.h"
#include "ptx/special_registers.h"

namespace xfer::ptx {
namespace {

constexpr std::size_t kMostRegisters = std::size_t{1} << 20;
constexpr unsigned kDeepestOperand = 8;

/// `%r` and 12 of `%r12`; no number: the name ends in none.
struct Numbered {
  std::string_view stem;
  std::optional<std::uint64_t> number;
};

Numbered split(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
  const std::string_view tail = name.substr(digits);
  std::uint64_t number = 0;
  const auto read = std::from_chars(tail.data(), tail.data() + tail.size(), number);
  const bool plain = !tail.empty() && (tail.size() == 1 || tail[0] != '0');
  if (!plain || read.ec != std::errc()) return {name, std::nullopt};
  return {name.substr(0, digits), number};
}

/// `b3`, `h10`, `b7654`: bytes or halves of what a video instruction takes.
bool is_part(std::string_view text) {
  return text.size() >= 2 && text.size() <= 5 && (text[0] == 'b' || text[0] == 'h') &&
         text.find_first_not_of("01234567", 1) == std::string_view::npos;
}

}  // namespace

Body BodyReader::read() {
  do {
    if (lexer_.take('{')) {
      scopes_.emplace_back();
    } else if (lexer_.take('}')) {
      if (scopes_.empty()) refuse(lexer_, "`{`");
      scopes_.pop_back();
    } else if (!lexer_.take(';')) {
      if (scopes_.empty() || lexer_.at_end()) refuse(lexer_, "`}`");
      read_statement();
    }
  } while (!scopes_.empty());
  return std::move(body_);
}

void BodyReader::read_statement() {
  if (lexer_.token().kind == Token::Kind::kSuffix) return read_directive();
  if (lexer_.token().is('@')) return read_instruction();
  if (lexer_.token().kind != Token::Kind::kWord) refuse(lexer_, "an instruction");
  Lexer ahead = lexer_;
  const std::string_view name = ahead.next().text;
  if (!ahead.token().is(':')) return read_instruction();
  lexer_ = ahead;
  lexer_.next();
  read_label(name);
}

void BodyReader::read_directive() {
  const Token directive = lexer_.next();
  const auto space = space_named(directive.text);
  if (directive.text == "loc") {
    // `.loc 1 42 5`: the file, the line, the column.
    read_integer(lexer_);
    source_line_ = static_cast<unsigned>(read_integer(lexer_));
    lexer_.skip_line(directive.line);
  } else if (directive.text == "pragma") {
    lexer_.skip_to(';');
  } else if (directive.text == "reg") {
    read_registers();
  } else if (space) {
    for (Variable& variable : read_variables(lexer_, *space))
      body_.variables.push_back(std::move(variable));
    expect(lexer_, ';');
  } else {
    throw Fault(directive.line, "no directive ." + std::string(directive.text) + " is known");
  }
}

/// `.reg .b32 %r<21>, %x;`
void BodyReader::read_registers() {
  std::optional<Type> type;
  while (lexer_.token().kind == Token::Kind::kSuffix) {
    type = type_named(lexer_.token().text);
    if (!type) refuse(lexer_, "a type");
    lexer_.next();
  }
  if (!type) refuse(lexer_, "a type");
  Scope& scope = scopes_.back();
  do {
    const std::string_view name = read_word(lexer_);
    std::uint64_t count = 1;
    const auto first = static_cast<RegisterId>(body_.registers.size());
    if (lexer_.take('<')) {
      count = static_cast<std::uint64_t>(read_integer(lexer_));
      expect(lexer_, '>');
      scope.ranges[name] = {first, count};
    } else {
      scope.registers[name] = first;
    }
    if (count > kMostRegisters || body_.registers.size() + count > kMostRegisters)
      refuse(lexer_, "fewer registers");
    body_.registers.resize(body_.registers.size() + count, *type);
  } while (lexer_.take(','));
  expect(lexer_, ';');
}

/// A label stands before an instruction, a list of targets, or the prototype of a call.
void BodyReader::read_label(std::string_view name) {
  const Token& token = lexer_.token();
  if (token.is_suffix("branchtargets") || token.is_suffix("calltargets")) {
    lexer_.next();
    Targets& targets = body_.targets[name];
    do targets.push_back(read_word(lexer_));
    while (lexer_.take(','));
    expect(lexer_, ';');
  } else if (token.is_suffix("callprototype")) {
    lexer_.next();
    Prototype& prototype = body_.prototypes[name];
    if (lexer_.token().is('(')) prototype.results = read_parameters(lexer_);
    read_word(lexer_);
    if (lexer_.token().is('(')) prototype.parameters = read_parameters(lexer_);
    while (lexer_.token().kind == Token::Kind::kSuffix) lexer_.next();  // .noreturn
    expect(lexer_, ';');
  } else {
    body_.labels[name] = body_.instructions.size();
  }
}

void BodyReader::read_instruction() {
  Instruction instruction;
  instruction.source_line = source_line_;
  instruction.line = lexer_.token().line;
  if (lexer_.take('@')) {
    const bool negated = lexer_.take('!');
    instruction.guard = read_operand();
    instruction.guard->negated = negated;
    if (!instruction.guard->is(Operand::Kind::kRegister)) refuse(lexer_, "a predicate");
  }
  instruction.operation = read_word(lexer_);
  while (lexer_.token().kind == Token::Kind::kSuffix)
    instruction.modifiers.push_back(lexer_.next().text);
  while (!lexer_.token().is(';')) {
    if (!instruction.operands.empty()) expect(lexer_, ',');
    instruction.operands.push_back(read_operand());
  }
  lexer_.next();
  body_.instructions.push_back(std::move(instruction));
}

Operand BodyReader::read_operand() {
  if (depth_ == kDeepestOperand) refuse(lexer_, "fewer brackets");
  ++depth_;
  Operand operand = read_operand_within();
  --depth_;
  return operand;
}

Operand BodyReader::read_operand_within() {
  if (lexer_.token().is('[')) return read_address();
  if (lexer_.take('{')) return read_group('}', Operand::Kind::kVector);
  if (lexer_.take('(')) return read_group(')', Operand::Kind::kList);
  const bool negated = lexer_.take('!');
  const bool negative = lexer_.take('-');
  if (lexer_.token().kind != Token::Kind::kWord) return read_number(negative);
  Operand operand = read_name();
  operand.negated = negated || negative;
  if (!lexer_.take('|')) return operand;
  // `p|q`: two results.
  Operand both;
  both.kind = Operand::Kind::kVector;
  both.parts.push_back(std::move(operand));
  both.parts.push_back(read_name());
  return both;
}

Operand BodyReader::read_name() {
  Operand operand;
  operand.name = read_word(lexer_);
  if (operand.name == "_") return operand;
  if (const auto reg = find_register(operand.name)) {
    operand.kind = Operand::Kind::kRegister;
    operand.reg = *reg;
  } else if (operand.name == "WARP_SZ") {
    operand.kind = Operand::Kind::kInteger;
    operand.bits = 32;
    return operand;
  } else if (is_special_register(operand.name)) {
    operand.kind = Operand::Kind::kSpecial;
  } else if (operand.name.starts_with('%')) {
    refuse(lexer_, "a register that is declared, not " + std::string(operand.name) + ",");
  } else {
    operand.kind = Operand::Kind::kSymbol;
  }
  constexpr std::string_view kComponents = "xyzw";
  const Token& component = lexer_.token();
  if (component.kind == Token::Kind::kSuffix && component.text.size() == 1 &&
      kComponents.find(component.text[0]) != std::string_view::npos)
    operand.component = lexer_.next().text[0];
  else if (component.kind == Token::Kind::kSuffix && is_part(component.text))
    operand.part = lexer_.next().text;
  if (operand.is(Operand::Kind::kSymbol)) operand.offset = read_offset(lexer_);  // `symbol+4`
  return operand;
}

/// `[%rd1+4]`, `[name]`, `[4]`, `[texture, {%f1, %f2}]`
Operand BodyReader::read_address() {
  Operand address;
  address.kind = Operand::Kind::kAddress;
  expect(lexer_, '[');
  for (;;) {
    Operand part = read_operand();
    if (address.parts.empty()) address.offset = read_offset(lexer_, std::exchange(part.offset, 0));
    address.parts.push_back(std::move(part));
    if (lexer_.take(']')) return address;
    expect(lexer_, ',');
  }
}

Operand BodyReader::read_group(char end, Operand::Kind kind) {
  Operand group;
  group.kind = kind;
  while (!lexer_.take(end)) {
    if (!group.parts.empty()) expect(lexer_, ',');
    group.parts.push_back(read_operand());
  }
  return group;
}

Operand BodyReader::read_number(bool negative) {
  Operand number;
  const Token& token = lexer_.token();
  number.bits = token.bits;
  number.single = token.single;
  if (token.kind == Token::Kind::kInteger) {
    number.kind = Operand::Kind::kInteger;
    if (negative) number.bits = 0 - number.bits;
  } else if (token.kind == Token::Kind::kFloat) {
    number.kind = Operand::Kind::kFloat;
    if (negative) number.bits ^= std::uint64_t{1} << (token.single ? 31 : 63);
  } else {
    refuse(lexer_, "an operand");
  }
  lexer_.next();
  return number;
}

std::optional<RegisterId> BodyReader::find_register(std::string_view name) const {
  const Numbered numbered = split(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto one = scope->registers.find(name); one != scope->registers.end())
      return one->second;
    if (!numbered.number) continue;
    const auto range = scope->ranges.find(numbered.stem);
    if (range != scope->ranges.end() && *numbered.number < range->second.count)
      return range->second.first + static_cast<RegisterId>(*numbered.number);
  }
  return std::nullopt;
}

}  // namespace xfer::ptx
