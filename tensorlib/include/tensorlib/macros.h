// Export and attribute macros of the public headers, which compile as C++17 and C++20.
#pragma once

#define TENSORLIB_API __attribute__((visibility("default")))

// The reason is part of the warning where the language lets it be (C++20).
#if __cplusplus >= 202002L
#define TENSORLIB_NODISCARD(reason) [[nodiscard(reason)]]
#else
#define TENSORLIB_NODISCARD(reason) [[nodiscard]]
#endif

// A function that makes a tensor and changes nothing: to drop its result is a mistake.
#define TENSORLIB_PURE TENSORLIB_NODISCARD("this returns a new tensor and changes nothing else")
