#include "grid/print.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "grid/kernel_text.h"

namespace xfer::emulator::grid {
namespace {

constexpr int kWidest = 1 << 16;  // more than a buffer for all of a grid's text takes there

/// %[flags][width][.precision][length]type
struct Conversion {
  std::string flags;
  int width = -1;
  int precision = -1;
  bool is_long = false;  ///< an integer of 8 bytes
  int shorter = 0;       ///< h, hh
  char type = '\0';

  std::string spec(const char* length) const {
    std::string text = "%" + flags;
    if (width >= 0) text += std::to_string(width);
    if (precision >= 0) text += "." + std::to_string(precision);
    return text + length + type;
  }
};

class Formatter {
 public:
  Formatter(const kernels::Block& block, std::uintptr_t arguments)
      : block_(block), at_(kernels::reachable(block, arguments)) {}

  Printed run(std::string_view format) {
    while (!format.empty()) {
      const std::size_t plain = std::min(format.find('%'), format.size());
      printed_.text += format.substr(0, plain);
      format.remove_prefix(plain);
      if (!format.empty()) format.remove_prefix(convert(format));
    }
    return std::move(printed_);
  }

 private:
  template <typename T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof(T));
    at_ += sizeof(T);
    ++printed_.arguments;
    return value;
  }

  /// Width or precision: digits or a star.
  int number(std::string_view format, std::size_t& i) {
    if (i < format.size() && format[i] == '*') {
      ++i;
      return std::clamp(next<int>(), -kWidest, kWidest);
    }
    int value = 0;
    for (; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i)
      value = std::min(value * 10 + (format[i] - '0'), kWidest);
    return value;
  }

  /// Of a text that begins with %: how much of it is done.
  std::size_t convert(std::string_view format) {
    Conversion c;
    std::size_t i = 1;
    const auto is = [&](std::string_view set) {
      return i < format.size() && set.find(format[i]) != std::string_view::npos;
    };
    for (; is("-+ #0"); ++i)
      if (c.flags.find(format[i]) == std::string::npos) c.flags += format[i];
    if (is("*123456789")) c.width = number(format, i);
    if (c.width < -1) {
      c.flags += '-';
      c.width = -c.width;
    }
    if (is(".")) c.precision = number(format, ++i);
    for (; is("hlLqjzt"); ++i) {
      if (format[i] == 'h')
        ++c.shorter;
      else
        c.is_long = true;
    }
    if (!is("diouxXeEfFgGaAcspn%")) {
      printed_.text += format.substr(0, i);
      return i;
    }
    c.type = format[i];
    print(c);
    return i + 1;
  }

  void print(const Conversion& c) {
    switch (c.type) {
      case '%': printed_.text += '%'; break;
      case 'n': next<std::uint64_t>(); break;
      case 'c': add(c.spec("").c_str(), next<int>()); break;
      case 'p': add(c.spec("").c_str(), reinterpret_cast<void*>(next<std::uintptr_t>())); break;
      case 's': print_text(c); break;
      case 'd':
      case 'i': print_integer<std::int64_t, std::int32_t, std::int16_t, std::int8_t>(c); break;
      case 'o':
      case 'u':
      case 'x':
      case 'X': print_integer<std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t>(c); break;
      default: add(c.spec("").c_str(), next<double>());
    }
  }

  template <typename Long, typename Int, typename Short, typename Char>
  void print_integer(const Conversion& c) {
    if (c.is_long) return add(c.spec("ll").c_str(), static_cast<long long>(next<Long>()));
    const Int value = next<Int>();
    const Long shown = c.shorter == 0   ? static_cast<Long>(value)
                       : c.shorter == 1 ? static_cast<Long>(static_cast<Short>(value))
                                        : static_cast<Long>(static_cast<Char>(value));
    add(c.spec("ll").c_str(), static_cast<long long>(shown));
  }

  void print_text(const Conversion& c) {
    const auto address = next<std::uintptr_t>();
    const std::size_t most =
        c.precision >= 0 ? static_cast<std::size_t>(c.precision) : std::size_t{1} << 20;
    const std::string text = address == 0 ? "(null)" : kernel_text(block_, address, most);
    add(c.spec("").c_str(), text.c_str());
  }

  template <typename T>
  void add(const char* spec, T value) {
    // The one place where the format is not the compiler's to check: it is made by spec().
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int length = std::snprintf(nullptr, 0, spec, value);
    if (length <= 0) return;
    const std::size_t before = printed_.text.size();
    printed_.text.resize(before + static_cast<std::size_t>(length) + 1);
    std::snprintf(&printed_.text[before], static_cast<std::size_t>(length) + 1, spec, value);
    printed_.text.pop_back();
#pragma GCC diagnostic pop
  }

  const kernels::Block& block_;
  std::uintptr_t at_;  ///< of the next argument
  Printed printed_;
};

}  // namespace

Printed format_text(const kernels::Block& block, std::uintptr_t format, std::uintptr_t arguments) {
  return Formatter(block, arguments).run(kernel_text(block, format));
}

}  // namespace xfer::emulator::grid
