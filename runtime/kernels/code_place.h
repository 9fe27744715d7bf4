#pragma once
// From an address in code that runs to the line that it was made of.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace xfer::kernels {

/// A line of one of a program's texts.
struct TextLine {
  std::size_t text = 0;
  unsigned line = 0;
};

/// `object`: what the code was made of once more, with debug information; `function`: its name
/// there, `code`: where it runs. Nothing: `at` is not in it, is of no line, or what runs there is
/// not the same.
std::optional<TextLine> line_of_code(std::string_view object, const std::string& function,
                                     const void* code, const void* at);

}  // namespace xfer::kernels
