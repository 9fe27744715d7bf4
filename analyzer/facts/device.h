#pragma once
// A place that a value may be at.

#include <cstdint>

#include "analyzer/facts/ids.h"

namespace xfer::analyzer {

using SymbolId = IdFromZero<struct SymbolTag>;

enum class DeviceKind : std::uint8_t { kBottom, kCpu, kCuda, kSymbol, kUnknown };

struct Device {
  static constexpr std::int32_t kCurrent = -1;
  static constexpr std::int32_t kGuarded = -2;  ///< the current one while a guard chose which

  DeviceKind kind = DeviceKind::kUnknown;
  std::int32_t index = kCurrent;  ///< of kCuda; kCurrent: the current one when the function begins
  SymbolId symbol = {};           ///< of kSymbol

  static constexpr Device bottom() { return {DeviceKind::kBottom}; }
  static constexpr Device cpu() { return {DeviceKind::kCpu}; }
  static constexpr Device cuda(std::int32_t index) { return {DeviceKind::kCuda, index}; }
  static constexpr Device of(SymbolId symbol) { return {DeviceKind::kSymbol, kCurrent, symbol}; }
  static constexpr Device unknown() { return {}; }

  bool is_cpu() const { return kind == DeviceKind::kCpu; }
  bool is_cuda() const { return kind == DeviceKind::kCuda; }
  bool is_symbol() const { return kind == DeviceKind::kSymbol; }
  bool is_indexed() const { return is_cuda() && index >= 0; }
  bool is_known() const { return is_cpu() || is_cuda(); }

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace xfer::analyzer
