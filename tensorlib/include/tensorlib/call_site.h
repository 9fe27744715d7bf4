// The line of the user's program that called the library: what every error and every placement
// names.
#pragma once

namespace tensorlib {

// A call site is a default argument of every public operation, so it costs two constants per call.
// `file` is a string literal of the caller and is not owned; a default-made one is "no known line".
struct CallSite {
  const char* file = nullptr;
  int line = 0;

  static constexpr CallSite current(const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) noexcept {
    return CallSite{file, line};
  }
  constexpr bool known() const noexcept { return file != nullptr; }
};

}  // namespace tensorlib
