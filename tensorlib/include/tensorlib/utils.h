// Small things that LibTorch's programs use.
#pragma once

#include <cmath>
#include <optional>
#include <sstream>
#include <string>

#include "tensorlib/error.h"

namespace tensorlib {

// LibTorch has its own, of the time before C++17.
using std::nullopt;
using std::optional;

// All arguments written one after the other.
template <class... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

}  // namespace tensorlib

// The version of LibTorch's API that this follows, for programs that ask.
#ifndef TORCH_VERSION_MAJOR
#define TORCH_VERSION_MAJOR 1
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_PATCH 1
#define TORCH_VERSION "1.13.1"
#endif

// LibTorch's checks, for programs that are ported: an Error with the line where one fails.
#ifndef TORCH_CHECK
#define TORCH_CHECK(condition, ...)                                                   \
  do {                                                                                \
    if (!(condition)) {                                                               \
      const std::string tensorlib_text = ::tensorlib::str(__VA_ARGS__);               \
      throw ::tensorlib::Error(tensorlib_text.empty() ? "Expected " #condition        \
                                                        " to be true, but got false." \
                                                      : tensorlib_text,               \
                               ::tensorlib::CallSite::current());                     \
    }                                                                                 \
  } while (false)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_ASSERT(condition) TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition, __VA_ARGS__)
#endif
