// Modules, their functions and their initial values: what <torch/nn.h> is in LibTorch.
#pragma once

#include "tensorlib/nn/functional.h"
#include "tensorlib/nn/init.h"
#include "tensorlib/nn/module.h"
#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/modules/activation.h"
#include "tensorlib/nn/modules/batchnorm.h"
#include "tensorlib/nn/modules/conv.h"
#include "tensorlib/nn/modules/embedding.h"
#include "tensorlib/nn/modules/layernorm.h"
#include "tensorlib/nn/modules/linear.h"
#include "tensorlib/nn/modules/loss.h"
#include "tensorlib/nn/modules/module_list.h"
#include "tensorlib/nn/modules/pooling.h"
#include "tensorlib/nn/modules/sequential.h"
#include "tensorlib/nn/utils.h"
