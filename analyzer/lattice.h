#pragma once
// The device lattice: where a value may be. Plain values, no Clang types.
//
//   bottom < cpu, cuda(i), cuda(current), symbol(s) < unknown
//
// A symbol stands for one device that is not known but is the same wherever the symbol appears
// (`model.to(device)` and `x.to(device)` agree whatever `device` is). What it may turn out to be is
// a property of the symbol, see SymbolTable.

#include <cstdint>
#include <string_view>

namespace xfer::analyzer {

using SymbolId = std::uint32_t;

enum class DeviceKind : std::uint8_t { kBottom, kCpu, kCuda, kSymbol, kUnknown };

struct Device {
  static constexpr std::int32_t kCurrent = -1;

  DeviceKind kind = DeviceKind::kUnknown;
  std::int32_t index = kCurrent;  ///< of kCuda; kCurrent: the current CUDA device
  SymbolId symbol = 0;            ///< of kSymbol

  static constexpr Device bottom() { return {DeviceKind::kBottom}; }
  static constexpr Device cpu() { return {DeviceKind::kCpu}; }
  static constexpr Device cuda(std::int32_t index) { return {DeviceKind::kCuda, index}; }
  static constexpr Device of(SymbolId symbol) { return {DeviceKind::kSymbol, kCurrent, symbol}; }
  static constexpr Device unknown() { return {}; }

  bool is_cpu() const { return kind == DeviceKind::kCpu; }
  bool is_cuda() const { return kind == DeviceKind::kCuda; }
  bool is_symbol() const { return kind == DeviceKind::kSymbol; }
  bool is_known() const { return is_cpu() || is_cuda(); }

  friend bool operator==(const Device&, const Device&) = default;
};

/// Least upper bound; two different devices are unknown.
Device join(Device a, Device b);

/// What is certain about two devices without knowing more of their symbols.
enum class Relation : std::uint8_t { kSame, kDifferent, kUnsure };

/// cuda(current) may be any cuda(i), so the two are kUnsure.
Relation relate(Device a, Device b);

/// Whether a tensor has dimensions: one of none may be mixed with CUDA tensors from the CPU.
enum class Rank : std::uint8_t { kUnknown, kZero, kNonZero };

Rank join(Rank a, Rank b);

/// The element types whose size matters.
enum class Element : std::uint8_t {
  kUnknown,
  kBool,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kHalf,
  kBFloat16,
  kFloat,
  kDouble
};

/// Bytes of one element; 0: not known.
unsigned size_of(Element element);
bool is_floating(Element element);
const char* name_of(Element element);
/// The type with this name in a ScalarType enumeration: "Float".
Element element_from(std::string_view enumerator);

/// Host memory that a device can copy from by itself is pinned.
enum class Memory : std::uint8_t { kUnknown, kPageable, kPinned };

/// What a tensor is to the gradients.
enum class Grad : std::uint8_t {
  kUnknown,
  kLeaf,   ///< it was asked to collect its gradient
  kMoved,  ///< a copy of such a leaf: the gradient goes there
};

}  // namespace xfer::analyzer
