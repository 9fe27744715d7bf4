#include "xfer/rules/parse_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

/// `byte` counts from 1 and is the last one that the parser read.
std::string complaint(const std::string& text, const std::string& name, std::size_t byte) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return name + ": the file is empty";
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const std::size_t line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<long>(line_begin), '\n');
  const std::string place = fmt::format("{}:{}:{}", name, line, at - line_begin + 1);
  if (at == text.size()) return place + ": not JSON: the text ends too early";
  const std::string found(text, at, std::max<std::size_t>(utf8_length(text.c_str() + at), 1));
  if (found == "\n" || found == "\r") return place + ": not JSON: unexpected end of line";
  return fmt::format("{}: not JSON: unexpected '{}'", place, printable(found));
}

}  // namespace

Json parse_json(const std::string& text, const std::string& name) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw JsonSyntaxError(complaint(text, name, error.byte));
  } catch (const Json::exception&) {
    throw JsonSyntaxError(name + ": not JSON: a number is too large");
  }
}

Json parse_json(std::istream& in, const std::string& name) {
  return parse_json(std::string(std::istreambuf_iterator<char>(in), {}), name);
}

}  // namespace xfer
