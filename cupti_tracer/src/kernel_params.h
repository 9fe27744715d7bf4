#pragma once
// The parameters of a kernel, read from its mangled name: which are pointers, and which of these
// are only read. An nvcc kernel's symbol carries its parameter types, so a launch can be tied to
// the buffers it may touch without debug info and without the driver's help.
//
// The reading is conservative. A class passed by value may hold pointers, and so may what a
// `T**` or a `Class*` points at: such kernels may touch any buffer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xfer::tracer {

struct KernelParam {
  enum class Kind : std::uint8_t {
    kScalar,   ///< a number: no buffer
    kWord,     ///< an integer as wide as a pointer: a buffer if its value lies in one
    kPointer,  ///< a buffer
    kOpaque,   ///< not known: a class by value, a function pointer
  };
  Kind kind = Kind::kOpaque;
  bool writes = true;           ///< kPointer: the pointee is not const
  bool pointee_opaque = false;  ///< kPointer: what it points at may hold pointers itself
  std::uint8_t size = 0;        ///< bytes of the parameter, 0 when not known

  friend bool operator==(const KernelParam&, const KernelParam&) = default;
};

struct KernelSignature {
  bool known = false;         ///< the parameter list could be read
  bool may_touch_all = true;  ///< it may touch buffers that are not among its parameters
  std::vector<KernelParam> params;
};

/// Reads a mangled symbol. An unmangled one (extern "C") says nothing: not known. Allocates; call
/// it once per kernel.
KernelSignature read_kernel_signature(const char* mangled);

/// Classifies one parameter type as the demangler spells it, such as "float const*".
KernelParam classify_parameter(std::string_view type);

/// Splits the parameter list of a demangled function name at its top-level commas. False when there
/// is no such list.
bool split_parameters(std::string_view demangled, std::vector<std::string_view>& out);

}  // namespace xfer::tracer
