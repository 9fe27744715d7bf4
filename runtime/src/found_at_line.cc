#include "found_at_line.h"

#include <algorithm>

namespace xfer {

bool is_one_waste(const EngineFinding& a, const EngineFinding& b) {
  if (a.rule != b.rule || a.device != b.device || a.source_device != b.source_device) return false;
  switch (a.rule) {
    case Rule::kRepeatedTransfer:
    case Rule::kRoundTrip: return true;
    case Rule::kUnusedTransfer: return info(a.reason).remedy == info(b.reason).remedy;
    default: return a.reason == b.reason && a.confidence == b.confidence;
  }
}

void take_in(FoundAtLine& sum, const FoundAtLine& more) {
  EngineFinding& found = sum.found;
  const bool leads = more.found.cost.count > found.cost.count;
  if (more.found.cost.host_ns > found.cost.host_ns) sum.stack = more.stack;
  if (leads) {
    found.reason = more.found.reason;
    found.other_site = more.found.other_site;
  }
  found.confidence = std::min(found.confidence, more.found.confidence);
  found.first_ns = std::min(found.first_ns, more.found.first_ns);
  found.renews = found.renews || more.found.renews;
  add(found, more.found);
  sum.paths.insert(more.paths.begin(), more.paths.end());
  sum.of_site.insert(more.of_site.begin(), more.of_site.end());
  found.copies_at_site = 0;
  for (const auto& [site, copies] : sum.of_site) found.copies_at_site += copies;
}

}  // namespace xfer
