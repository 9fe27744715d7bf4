#include "xfer/rules/docs.h"

namespace xfer {

namespace pages {
#define XFER_RULE(id, slug, severity, tier, lint, run, summary) extern const std::string_view id;
#include "rules.def"
#undef XFER_RULE
}  // namespace pages

std::string_view docs(Rule rule) {
  switch (rule) {
#define XFER_RULE(id, slug, severity, tier, lint, run, summary) \
  case Rule::id: return pages::id;
#include "rules.def"
#undef XFER_RULE
  }
  return {};
}

}  // namespace xfer
