#include "page.h"

#include <fmt/format.h>

#include <ostream>

#include "html_escape.h"
#include "src/json.h"

namespace xfer::html {

extern const std::string_view css;
extern const std::string_view script;
extern const std::string_view script_sha256;

namespace {

// As a content security policy writes a hash.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int have = 0;
  for (const char c : hex) {
    bits = (bits << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10)) & 0x3FF;
    have += 4;
    if (have < 6) continue;
    have -= 6;
    out += kDigits[bits >> have & 63];
  }
  if (have != 0) out += kDigits[bits << (6 - have) & 63];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

}  // namespace

void write_head(std::ostream& out, const PageHead& head) {
  out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src 'sha256-"
      << base64_of_hex(script_sha256)
      << "'\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
      << escape(head.title) << "</title>\n<style>\n"
      << css << "</style>\n</head>\n<body>\n"
      << "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
         "<header class=\"page\"><div><h1>"
      << escape(head.heading) << "</h1><p class=\"sub\">" << escape(head.subtitle)
      << "</p></div><button type=\"button\" id=\"theme\" class=\"quiet\" hidden>Theme</button>"
         "</header>\n<main>\n";
}

void write_tile(std::ostream& out, std::string_view kind, const std::string& value,
                std::string_view label) {
  out << fmt::format("<div class=\"tile {}\"><dt>{}</dt><dd>{}</dd></div>\n", kind, escape(label),
                     escape(value));
}

void write_foot(std::ostream& out, const nlohmann::ordered_json& data) {
  out << "</main>\n<footer class=\"page\"><p>xfercheck " XFER_VERSION
         " &middot; <a id=\"download\" href=\"#\" download=\"findings.json\" hidden>findings as "
         "JSON</a></p></footer>\n<script type=\"application/json\" id=\"data\">"
      << escape_script(dump(data, -1)) << "</script>\n<script>" << script
      << "</script>\n</body>\n</html>\n";
}

}  // namespace xfer::html
