#pragma once
// The same source against tensorlib (to lint and to run) and against LibTorch's headers (to lint).

#ifdef XFER_CASES_TORCH
#include <torch/torch.h>
#else
#include <tensorlib/tensorlib.h>
namespace torch = tensorlib;
#endif
