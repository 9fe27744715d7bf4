#include "ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

namespace xfer::ptx {
namespace {

constexpr std::size_t kLongestNumber = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

bool is_of_word(char c) { return is_letter(c) || is_digit(c); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

int base_of(std::string_view number) {
  if (number.size() < 2 || number[0] != '0') return 10;
  if (lower(number[1]) == 'x') return 16;
  return lower(number[1]) == 'b' ? 2 : 8;
}

}  // namespace

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_, 2);
    std::size_t end = at_ + 1;
    if (rest == "//")
      end = std::min(text_.find('\n', at_), text_.size());
    else if (rest == "/*")
      end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
    else if (rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r' && rest[0] != '\n' &&
             rest[0] != '\0')
      return;
    line_ +=
        static_cast<unsigned>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }
}

Token Lexer::next() {
  const Token last = token_;
  skip_space();
  token_ = {};
  token_.line = line_;
  begin_ = at_;
  if (at_ >= text_.size()) return last;
  const char c = text_[at_];
  const auto take = [&](auto&& fits) {
    while (at_ < text_.size() && fits(text_[at_])) ++at_;
  };
  if (is_letter(c)) {
    token_.kind = Token::Kind::kWord;
    take(is_of_word);
  } else if (is_digit(c)) {
    read_number();
  } else if (c == '"') {
    read_string();
    return last;
  } else if (c == '.' && at_ + 1 < text_.size() && is_of_word(text_[at_ + 1])) {
    token_.kind = Token::Kind::kSuffix;
    ++at_;
    // `.L2::cache_hint`
    do take(is_of_word);
    while (text_.substr(at_, 2) == "::" && (at_ += 2) < text_.size());
    token_.text = text_.substr(begin_ + 1, at_ - begin_ - 1);
    return last;
  } else {
    constexpr std::string_view kSigns = "{}[]()<>,;:=+-!@|*/&^~?.";
    token_.kind = kSigns.find(c) == kSigns.npos ? Token::Kind::kUnknown : Token::Kind::kSign;
    ++at_;
  }
  token_.text = text_.substr(begin_, at_ - begin_);
  return last;
}

void Lexer::read_string() {
  const std::size_t end = std::min(text_.find('"', at_ + 1), text_.size());
  token_.kind = end == text_.size() ? Token::Kind::kUnknown : Token::Kind::kString;
  token_.text = text_.substr(at_ + 1, end - at_ - 1);
  line_ += static_cast<unsigned>(std::ranges::count(token_.text, '\n'));
  at_ = std::min(end + 1, text_.size());
}

/// `12`, `0x1F`, `017`, `0b101`, `3U`; else a float.
void Lexer::read_number() {
  const std::string_view rest = text_.substr(at_, kLongestNumber);
  const char kind = rest.size() > 1 ? lower(rest[1]) : '\0';
  if (rest[0] == '0' && (kind == 'f' || kind == 'd')) {
    const std::size_t digits = kind == 'f' ? 8 : 16;
    token_.kind = Token::Kind::kFloat;
    token_.single = kind == 'f';
    const std::string_view hex = rest.substr(2, digits);
    const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), token_.bits, 16);
    if (hex.size() != digits || read.ptr != hex.data() + hex.size())
      token_.kind = Token::Kind::kUnknown;
    at_ += 2 + hex.size();
    return;
  }
  const int base = base_of(rest);
  const std::size_t prefix = base == 16 || base == 2 ? 2 : 0;
  const std::string_view digits = rest.substr(prefix);
  token_.kind = Token::Kind::kInteger;
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), token_.bits, base);
  const auto length = static_cast<std::size_t>(read.ptr - digits.data());
  const char after = length < digits.size() ? lower(digits[length]) : '\0';
  if (prefix == 0 && (after == '.' || after == 'e' || is_digit(after))) return read_float();
  if (read.ec != std::errc() || length == 0) token_.kind = Token::Kind::kUnknown;
  at_ += std::max<std::size_t>(prefix + length, 1);
  if (at_ < text_.size() && text_[at_] == 'U') ++at_;
}

void Lexer::read_float() {
  const std::string copy(text_.substr(at_, kLongestNumber));
  double value = 0;
  const auto read = std::from_chars(copy.data(), copy.data() + copy.size(), value);
  token_.kind = read.ec == std::errc() ? Token::Kind::kFloat : Token::Kind::kUnknown;
  token_.bits = std::bit_cast<std::uint64_t>(value);
  at_ += std::max<std::size_t>(static_cast<std::size_t>(read.ptr - copy.data()), 1);
}

bool Lexer::skip_braces() {
  std::size_t depth = 0;
  do {
    if (token_.is('{')) ++depth;
    if (token_.is('}')) --depth;
    if (at_end()) return false;
    next();
  } while (depth > 0);
  return true;
}

bool Lexer::take(char sign) {
  const bool at_hand = token_.is(sign);
  if (at_hand) next();
  return at_hand;
}

void Lexer::skip_line(unsigned line) {
  while (!at_end() && token_.line == line) next();
}

void Lexer::skip_to(char sign) {
  while (!at_end() && !token_.is(sign)) next();
}

}  // namespace xfer::ptx
