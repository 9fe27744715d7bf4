#pragma once
// tensorlib's ResNet, of the library that the case is read with.

#include "seed.h"

#ifdef XFER_CASES_TORCH
#define TENSORLIB_MODELS_ON_LIBTORCH
#endif
#include <tensorlib/models/resnet.h>
