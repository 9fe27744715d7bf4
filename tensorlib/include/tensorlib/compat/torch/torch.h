// For programs that are written for LibTorch and not changed: with this folder among the compiler's
// include paths (-I .../tensorlib/compat), `#include <torch/torch.h>` and `torch::` are tensorlib.
#pragma once

#include <tensorlib/tensorlib.h>

namespace torch = tensorlib;
