// For programs that are written for LibTorch and not changed: with this folder among the compiler's
// include paths (-I .../tensorlib/compat), `#include <torch/torch.h>` and `torch::` are tensorlib,
// and so are `at::` and `c10::`.
#pragma once

#include <tensorlib/detail/standard_headers.h>
#include <tensorlib/tensorlib.h>

namespace at = tensorlib;
namespace c10 = tensorlib;
namespace torch = tensorlib;
