#include "xfer/reason.h"

#include <array>
#include <cstddef>

namespace xfer {

const ReasonInfo& info(Reason reason) {
  static constexpr auto kAll = std::to_array<ReasonInfo>({
#define XFER_REASON(id, rule, slug, least, why, maybe, remedy, other) \
  {Rule::rule, slug, least, why, maybe, remedy, other},
#include "xfer/reasons.def"
#undef XFER_REASON
  });
  return kAll[static_cast<std::size_t>(reason)];
}

}  // namespace xfer
