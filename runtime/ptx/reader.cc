#include "ptx/reader.h"

#include <bit>
#include <string>
#include <utility>

#include "ptx/body_reader.h"
#include "ptx/declarations.h"

namespace xfer::ptx {
namespace {

/// How a variable or a function is linked.
struct Linkage {
  bool external = false, weak = false, visible = false;
};

class ModuleReader {
 public:
  explicit ModuleReader(std::string_view text) : text_(text), lexer_(text) {}

  bool at_end() const { return lexer_.at_end(); }

  /// Until another module begins.
  Module read_one() {
    while (!lexer_.at_end() && !(module_.version != 0 && lexer_.token().is_suffix("version"))) {
      const unsigned line = lexer_.token().line;
      const std::size_t begin = lexer_.position();
      try {
        read_declaration();
      } catch (const Fault& fault) {
        module_.faults.push_back(fault);
        // A declaration that never ends takes the rest: no text is read again and again.
        if (lexer_.at_end()) break;
        skip_declaration(line, begin);
      }
    }
    return std::exchange(module_, {});
  }

 private:
  /// Goes on behind the declaration that begins there.
  void skip_declaration(unsigned line, std::size_t begin) {
    Lexer from(text_.substr(begin), line);
    while (!from.at_end() && !from.token().is(';') && !from.token().is('{')) from.next();
    if (from.token().is('{')) from.skip_braces();
    from.take(';');
    const std::size_t at = begin + from.position();
    lexer_ = Lexer(text_.substr(at), from.token().line);
    text_ = text_.substr(at);
  }

  void read_declaration() {
    if (lexer_.take(';')) return;
    Linkage linkage;
    for (;;) {
      if (lexer_.token().kind != Token::Kind::kSuffix) refuse(lexer_, "a directive");
      const Token directive = lexer_.next();
      const std::string_view name = directive.text;
      if (name == "extern") {
        linkage.external = true;
      } else if (name == "weak" || name == "common") {
        linkage.weak = linkage.visible = true;
      } else if (name == "visible") {
        linkage.visible = true;
      } else {
        return read_directive(directive, linkage);
      }
    }
  }

  void read_directive(const Token& directive, Linkage linkage) {
    const std::string_view name = directive.text;
    if (name == "version") return read_version();
    if (name == "target") return read_target(directive);
    if (name == "address_size" || name == "file" || name == "loc") {
      lexer_.skip_line(directive.line);
    } else if (name == "pragma") {
      lexer_.skip_to(';');
    } else if (name == "section") {
      lexer_.skip_to('{');
      if (!lexer_.skip_braces()) refuse(lexer_, "`}`");
    } else if (name == "alias") {
      const std::string_view other = read_word(lexer_);
      expect(lexer_, ',');
      module_.aliases[other] = read_word(lexer_);
      expect(lexer_, ';');
    } else if (name == "entry" || name == "func") {
      read_function(name == "entry", linkage);
    } else if (const auto space = space_named(name)) {
      for (Variable& variable : read_variables(lexer_, *space)) {
        variable.external = linkage.external;
        variable.weak = linkage.weak;
        variable.visible = linkage.visible;
        module_.variables.push_back(std::move(variable));
      }
      expect(lexer_, ';');
    } else {
      throw Fault(directive.line, "no directive ." + std::string(name) + " is known");
    }
  }

  /// `.version 9.0`
  void read_version() {
    const Token number = lexer_.next();
    if (number.kind != Token::Kind::kFloat || number.single) refuse(lexer_, "a version");
    const double version = std::bit_cast<double>(number.bits);
    if (!(version >= 0 && version < 1000)) refuse(lexer_, "a version");
    module_.version = static_cast<unsigned>(version * 10 + 0.5);
  }
  /// `.target sm_90a, debug`
  void read_target(const Token& directive) {
    module_.target = read_word(lexer_);
    lexer_.skip_line(directive.line);
  }

  void read_function(bool kernel, Linkage linkage) {
    Function function;
    function.kernel = kernel;
    function.weak = linkage.weak;
    function.visible = linkage.visible;
    read_limits(function);
    if (lexer_.token().is('(')) function.results = read_parameters(lexer_);
    function.name = read_word(lexer_);
    if (lexer_.token().is('(')) function.parameters = read_parameters(lexer_);
    read_limits(function);
    if (lexer_.take(';')) {
      function.declared = true;
      module_.functions.try_emplace(function.name, std::move(function));
      return;
    }
    if (!lexer_.token().is('{')) refuse(lexer_, "`{`");
    function.line = lexer_.token().line;
    const std::size_t begin = lexer_.position();
    const bool closed = lexer_.skip_braces();
    function.text = text_.substr(begin, lexer_.position() - begin);
    module_.functions[function.name] = std::move(function);
    if (!closed) refuse(lexer_, "`}`");
  }

  /// `.maxntid 256, 1, 1`, `.noreturn`, `.attribute(...)`, `.pragma "nounroll";`
  void read_limits(Function& function) {
    while (lexer_.token().kind == Token::Kind::kSuffix) {
      const std::string_view name = lexer_.next().text;
      std::vector<std::uint64_t>& numbers = function.limits[name];
      if (lexer_.take('(')) {
        lexer_.skip_to(')');
        expect(lexer_, ')');
      }
      if (lexer_.token().kind == Token::Kind::kString) {
        lexer_.next();
        expect(lexer_, ';');
      }
      while (lexer_.token().kind == Token::Kind::kInteger) {
        numbers.push_back(lexer_.next().bits);
        if (!lexer_.take(',')) break;
      }
    }
  }

  std::string_view text_;
  Lexer lexer_;
  Module module_;
};

}  // namespace

Module read_module(std::string_view text) { return ModuleReader(text).read_one(); }

std::vector<Module> read_modules(std::string_view text) {
  ModuleReader reader(text);
  std::vector<Module> modules;
  do modules.push_back(reader.read_one());
  while (!reader.at_end());
  return modules;
}

Body read_body(const Function& function) {
  if (function.text.empty()) throw Fault(function.line, "the function has no body here");
  return BodyReader(function).read();
}

}  // namespace xfer::ptx
