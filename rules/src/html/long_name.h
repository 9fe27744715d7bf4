#pragma once
// Names that fill a screen (those of template kernels do), as a page shows them: shortened, with
// the whole name in the tooltip.

#include <string>
#include <string_view>

namespace xfer::html {

/// "at::native::elementwise_kernel<...>(...)": first what is in the outermost brackets goes, then
/// the end.
std::string shortened_name(std::string_view name);

/// Escaped; <span title="..."> around what was shortened.
std::string long_name(std::string_view name);

/// As escape_prose, with the names in its code shortened so.
std::string prose_with_long_names(std::string_view text);

}  // namespace xfer::html
