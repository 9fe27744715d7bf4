#pragma once
// On which side of the border memory is, as the function or the whole program says.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

enum class Side : std::uint8_t {
  kUnknown,  ///< or on both: pinned and managed memory
  kHost,
  kDevice,
};

Side side_of(const CheckContext& context, const Object& memory);
/// The side of memory in fields and globals, as the whole program has it. Callers do not count:
/// they may pass memory that only a branch of the function asks for.
Side side_held(const CheckContext& context, const Object& memory);

}  // namespace xfer::analyzer
