// TorchScript is not here: torch::jit says so where a program uses it (tensorlib/jit.h).
#pragma once

#include <torch/torch.h>
