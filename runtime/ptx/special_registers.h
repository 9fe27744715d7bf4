#pragma once
// The registers that PTX has of its own: `%tid`, `%laneid`.

#include <string_view>

namespace xfer::ptx {

/// Of the name without a component: `%tid`.
bool is_special_register(std::string_view name);

}  // namespace xfer::ptx
