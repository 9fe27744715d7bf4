#pragma once
// Lines from inside the traced process, to stderr, each written whole: "xfertrace: ...".

#include <string_view>

namespace xfer::tracer {

void say(std::string_view line) noexcept;

}  // namespace xfer::tracer
