#pragma once
// Text that came from somewhere else (source files, symbol names, messages), made fit to print.

#include <cstddef>
#include <string>
#include <string_view>

namespace xfer {

/// Control characters as \xNN and bytes that are not UTF-8 as U+FFFD, so that a source file cannot
/// drive the reader's terminal. Line ends become blanks: the result is one line.
std::string printable(std::string_view text);

/// How many columns a terminal gives to `text`: one for each code point.
std::size_t width(std::string_view text);

/// Code points before byte `offset`.
std::size_t code_points_before(std::string_view text, std::size_t offset);

/// The length of the UTF-8 sequence at the start of `text`, 0 when there is no valid one.
std::size_t utf8_length(std::string_view text);

/// "1 finding", "3 findings".
std::string plural(std::size_t count, std::string_view noun);

}  // namespace xfer
