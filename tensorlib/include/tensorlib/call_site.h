// The line of the user's program that called the library: what every error and every placement
// names.
#pragma once

namespace tensorlib {

// A call site is a default argument of every public operation, so it costs two constants per call.
// `file` is a string literal of the caller and is not owned. No braced list of numbers converts to
// it, so that `x.sum({0, 1})` can only mean dimensions.
class CallSite {
 public:
  static constexpr CallSite current(const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) noexcept {
    return CallSite(file, line, Made{});
  }
  // No known line.
  static constexpr CallSite none() noexcept { return CallSite(nullptr, 0, Made{}); }

  constexpr bool known() const noexcept { return file != nullptr; }

  const char* file;
  int line;

 private:
  struct Made {};
  constexpr CallSite(const char* file, int line, Made) noexcept : file(file), line(line) {}
};

}  // namespace tensorlib
