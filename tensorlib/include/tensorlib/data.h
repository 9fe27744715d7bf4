// Data sets, transforms, samplers and the data loader: what <torch/data.h> is in LibTorch.
#pragma once

#include "tensorlib/data/data_loader.h"
#include "tensorlib/data/dataset.h"
#include "tensorlib/data/mnist.h"
#include "tensorlib/data/samplers.h"
#include "tensorlib/data/transforms.h"
