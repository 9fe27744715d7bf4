#pragma once
// missing-transfer, of one object's tensors: the function moves all of them to a device but one.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_left_behind(const CheckContext& context);

}  // namespace xfer::analyzer
