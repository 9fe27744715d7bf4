#include <fmt/format.h>

#include "xfer/rules/report.h"

namespace xfer {
namespace {

// One decimal, and none where it would be a zero: "1.5", "4".
std::string one_decimal(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would be printed as 1024.0.
  while (value >= 1023.95 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return one_decimal(value) + " " + kUnits[unit];
}

std::string format_duration(std::uint64_t nanoseconds) {
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  const double value = static_cast<double>(nanoseconds);
  if (value < 999.95e3) return one_decimal(value / 1e3) + " us";
  if (value < 999.95e6) return one_decimal(value / 1e6) + " ms";
  if (value < 59.95e9) return one_decimal(value / 1e9) + " s";
  const std::uint64_t seconds = (nanoseconds + 500'000'000) / 1'000'000'000;
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::string format_rate(double bytes_per_s) {
  return fmt::format("{:.1f} GB/s", bytes_per_s / 1e9);
}

}  // namespace xfer
