#pragma once
// Why a call is a finding: see reasons.def, the one place where a reason and its words stand.

#include <cstdint>
#include <string_view>

#include "xfer/rules/rule.h"

namespace xfer {

enum class Reason : std::uint8_t {
#define XFER_REASON(id, rule, slug, least, why, maybe, remedy, other) id,
#include "xfer/reasons.def"
#undef XFER_REASON
};

struct ReasonInfo {
  Rule rule;
  std::string_view slug;
  std::uint64_t least;
  std::string_view why;
  std::string_view maybe;
  std::string_view remedy;
  std::string_view other;
};

const ReasonInfo& info(Reason reason);

}  // namespace xfer
