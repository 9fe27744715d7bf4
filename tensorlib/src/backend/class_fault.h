// A label that names no class: the CPU finds it before the work, a kernel in it. The text is one.
#pragma once

#include <cstdint>
#include <string>

namespace tensorlib {

// `at`: which element of the target, in its order.
inline std::string no_such_class(const char* operation, int64_t label, int64_t at,
                                 int64_t classes) {
  return std::string(operation) + ": label " + std::to_string(label) + " (element " +
         std::to_string(at) + " of target) is out of range: there are " + std::to_string(classes) +
         " classes, 0 to " + std::to_string(classes - 1);
}

}  // namespace tensorlib
