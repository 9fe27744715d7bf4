#include "function_name.h"

#include <cxxabi.h>
#include <stdlib.h>

namespace xfer {

std::string function_name(const char* symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  if (demangled == nullptr) return symbol;
  std::string name = without_parameters(demangled);
  free(demangled);
  return name;
}

std::string without_parameters(std::string_view demangled) {
  std::string_view text = demangled;
  if (const std::size_t clone = text.find(" [clone "); clone != std::string_view::npos)
    text = text.substr(0, clone);
  // The last parenthesis group that closes at the end (or before " const", " &") is the parameters.
  const std::size_t close = text.rfind(')');
  if (close == std::string_view::npos) return std::string(text);
  const std::string_view rest = text.substr(close + 1);
  if (!rest.empty() && rest.find_first_of(":<>{}") != std::string_view::npos)
    return std::string(text);
  int depth = 0;
  std::size_t open = close;
  for (;; --open) {
    if (text[open] == ')') ++depth;
    if (text[open] == '(' && --depth == 0) break;
    if (open == 0) return std::string(text);
  }
  if (open == 0) return std::string(text);
  text = text.substr(0, open);
  // A template's name is preceded by its return type: the last space outside brackets divides them.
  int brackets = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    const bool arrow = c == '>' && i > 0 && (text[i - 1] == '-' || text[i - 1] == 'r');
    if ((c == '>' && !arrow) || c == ')' || c == ']' || c == '}') ++brackets;
    if (c == '<' || c == '(' || c == '[' || c == '{') --brackets;
    if (c != ' ' || brackets > 0) continue;
    const bool is_operator = text.substr(0, i).ends_with("operator");
    if (!is_operator) return std::string(text.substr(i + 1));
  }
  return std::string(text);
}

}  // namespace xfer
