#pragma once
// PTX as a row of tokens. `ld.global.u32` is a word and two suffixes, `%tid.x` a word and one.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xfer::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kWord,    ///< an identifier: `ld`, `%rd1`, `$L__BB0_2`, `_`
    kSuffix,  ///< what follows a dot: `global`, `L1::no_allocate`, `2d`
    kInteger,
    kFloat,    ///< `0f3F800000`, `0d...`, `1.5`
    kString,   ///< without its quotes
    kSign,     ///< one character
    kUnknown,  ///< no token begins so
  };

  Kind kind = Kind::kEnd;
  std::string_view text;
  std::uint64_t bits = 0;  ///< an integer's value; a float's, as an f32 or an f64
  bool single = false;     ///< of a float: an f32
  unsigned line = 0;

  bool is(char sign) const { return kind == Kind::kSign && text[0] == sign; }
  bool is_suffix(std::string_view name) const { return kind == Kind::kSuffix && text == name; }
};

/// Takes any text.
class Lexer {
 public:
  explicit Lexer(std::string_view text, unsigned line = 1) : text_(text), line_(line) { next(); }

  /// The token at hand.
  const Token& token() const { return token_; }
  /// Goes on; returns what was at hand.
  Token next();
  /// Goes on if the sign is at hand; tells whether it was.
  bool take(char sign);
  /// Where the token at hand begins.
  std::size_t position() const { return begin_; }
  /// Goes on behind the brace that closes the one at hand; false: none does.
  bool skip_braces();
  /// Goes on with the first token that is not in the line.
  void skip_line(unsigned line);
  /// Goes on until the sign is at hand, or the end.
  void skip_to(char sign);
  bool at_end() const { return token_.kind == Token::Kind::kEnd; }

 private:
  void skip_space();
  void read_number();
  void read_float();
  void read_string();

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  unsigned line_;
  Token token_;
};

}  // namespace xfer::ptx
