#include "ptx/special_registers.h"

#include <algorithm>
#include <array>

namespace xfer::ptx {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({
    "%tid",
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%total_smem_size",
    "%dynamic_smem_size",
    "%aggr_smem_size",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%current_graph_exec",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%is_explicit_cluster",
});

/// `%pm0` to `%pm7`, `%pm0_64`, `%envreg0` to `%envreg31`.
bool is_numbered(std::string_view name) {
  for (const std::string_view stem : {"%pm", "%envreg"}) {
    if (!name.starts_with(stem)) continue;
    std::string_view number = name.substr(stem.size());
    if (number.ends_with("_64")) number.remove_suffix(3);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

}  // namespace

bool is_special_register(std::string_view name) {
  return name.starts_with('%') &&
         (std::ranges::find(kNames, name) != kNames.end() || is_numbered(name));
}

}  // namespace xfer::ptx
