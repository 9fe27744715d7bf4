#include "ptx/source_line.h"

#include <cstdint>

#include "ptx/lexer.h"

namespace xfer::ptx {
namespace {

/// `.file 1 "loop.cu"`; empty: there is none of that number.
std::string_view file_named(std::string_view text, std::uint64_t number) {
  for (Lexer lexer(text); !lexer.at_end();) {
    if (!lexer.next().is_suffix("file") || lexer.token().kind != Token::Kind::kInteger) continue;
    if (lexer.next().bits == number && lexer.token().kind == Token::Kind::kString)
      return lexer.token().text;
  }
  return {};
}

}  // namespace

std::optional<SourceLine> source_of_line(std::string_view text, unsigned line) {
  std::uint64_t file = 0;
  unsigned depth = 0;
  SourceLine found;
  for (Lexer lexer(text); !lexer.at_end() && lexer.token().line <= line;) {
    const Token token = lexer.next();
    if (token.is('{')) ++depth;
    if (token.is('}') && depth != 0 && --depth == 0) file = 0;  // of the function before
    if (!token.is_suffix("loc") || lexer.token().kind != Token::Kind::kInteger) continue;
    file = lexer.next().bits;
    found.line = static_cast<unsigned>(lexer.token().bits);
  }
  if (file == 0) return std::nullopt;
  found.file = file_named(text, file);
  if (found.file.empty()) return std::nullopt;
  return found;
}

}  // namespace xfer::ptx
