// A part of LibTorch: here they are all in torch/torch.h.
#pragma once

#include <torch/torch.h>
