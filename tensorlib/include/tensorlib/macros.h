// Export and attribute macros of the public headers, which compile as C++17 and C++20.
#pragma once

#define TENSORLIB_API __attribute__((visibility("default")))

// The reason is part of the warning: from C++20 on by the standard, and in C++17 where the compiler
// knows that form all the same. Clang would warn of it there, so it is told that it is meant.
#if __cplusplus < 202002L && defined(__clang__) && __clang_major__ >= 10
#define TENSORLIB_NODISCARD(reason)                                                           \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++20-extensions\"") \
      [[nodiscard(reason)]] _Pragma("clang diagnostic pop")
#elif __has_cpp_attribute(nodiscard) >= 201907L
#define TENSORLIB_NODISCARD(reason) [[nodiscard(reason)]]
#else
#define TENSORLIB_NODISCARD(reason) [[nodiscard]]
#endif

// A function that makes a tensor and changes nothing: to drop its result is a mistake.
#define TENSORLIB_PURE TENSORLIB_NODISCARD("this returns a new tensor and changes nothing else")
