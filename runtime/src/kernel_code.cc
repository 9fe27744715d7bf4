#include "kernel_code.h"

#include "fat_binary.h"

namespace xfer {

void KernelCode::refine(Event& event) {
  const bool argument = event.kind == EventKind::kLaunchArg && (event.flags & kWrites) != 0;
  const bool launch = event.kind == EventKind::kLaunch && (event.flags & kAllArguments) != 0;
  if ((!argument && !launch) || event.name == 0) return;
  const std::optional<KernelAccess>& known = access(event.name, event.site);
  if (!known) return;
  if (launch && known->parameters_only) {
    event.flags |= kArgumentsOnly;
    event.flags &= static_cast<std::uint16_t>(~kMayTouchAll);
  }
  // Counted from 1.
  if (argument && event.source - 1 < known->written.size() && !known->written[event.source - 1])
    event.flags &= static_cast<std::uint16_t>(~kWrites);
}

const std::optional<KernelAccess>& KernelCode::access(std::uint32_t name, std::uint32_t site) {
  const auto [entry, is_new] = known_.try_emplace(std::uint64_t{site} << 32 | name);
  if (is_new) entry->second = read(trace_.string(name), site);
  return entry->second;
}

// A kernel lies in the module that launches it. With code for several architectures, any of it may
// have run.
std::optional<KernelAccess> KernelCode::read(std::string_view kernel, std::uint32_t site) {
  std::optional<KernelAccess> all;
  std::set<std::uint32_t> seen;
  for (const TraceFrame& frame : trace_.stack(site)) {
    const TraceModule* module = trace_.module(frame.module);
    if (module == nullptr || !seen.insert(frame.module).second) continue;
    for (const Code& code : codes(*module)) {
      if (!has_kernel(code.module, kernel)) continue;
      const std::optional<KernelAccess> one = kernel_access(code.module, kernel);
      if (!one || (all && all->written.size() != one->written.size())) return std::nullopt;
      if (!all) {
        all = one;
        continue;
      }
      all->parameters_only = all->parameters_only && one->parameters_only;
      for (std::size_t i = 0; i < all->written.size(); ++i)
        if (one->written[i]) all->written[i] = true;
    }
    if (all) return all;
  }
  return all;
}

const KernelCode::Codes& KernelCode::codes(const TraceModule& module) {
  const auto [entry, is_new] = modules_.try_emplace({module.path, module.build_id});
  if (is_new && module.path.starts_with('/'))
    for (std::string& text : ptx_of_file(module.path, module.build_id))
      entry->second.emplace_back(std::move(text));
  return entry->second;
}

}  // namespace xfer
