#include "html_escape.h"

#include "src/text.h"

namespace xfer::html {

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escape_prose(std::string_view text, std::string (*code)(std::string_view)) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) return out + escape(text);
    out += escape(text.substr(0, open)) + "<code>" + code(text.substr(open + 1, close - open - 1)) +
           "</code>";
    text.remove_prefix(close + 1);
  }
}

std::string escape_code(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t tab = text.find('\t');
    out += escape(text.substr(0, tab));
    if (tab == std::string_view::npos) return out;
    out += '\t';
    text.remove_prefix(tab + 1);
  }
}

std::string escape_script(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace xfer::html
