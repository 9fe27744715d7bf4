#pragma once
// Text from source files and symbol tables, made safe for the places of the HTML page in which it
// is put. Bytes that are not UTF-8 become U+FFFD, control characters visible escapes.

#include <string>
#include <string_view>

namespace xfer::html {

/// For element content and double-quoted attributes. One line.
std::string escape(std::string_view text);

/// escape(), with `names in backticks` as <code>, each written by `code`.
std::string escape_prose(std::string_view text, std::string (*code)(std::string_view) = escape);

/// For <pre>: tabs stay.
std::string escape_code(std::string_view text);

/// JSON for a <script> element: no character left that could end it or start a comment. Still JSON.
std::string escape_script(std::string_view json);

}  // namespace xfer::html
