#include "page.h"

#include <fmt/format.h>

#include <ostream>

#include "html_escape.h"
#include "src/json.h"

namespace xfer::html {

extern const std::string_view css;
extern const std::string_view script;

void write_head(std::ostream& out, const PageHead& head) {
  out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
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
      << escape_script(dump(data)) << "</script>\n<script>\n"
      << script << "</script>\n</body>\n</html>\n";
}

}  // namespace xfer::html
