// All of tensorlib. `namespace torch = tensorlib;` ports a program that is written for LibTorch.
#pragma once

#include "tensorlib/autograd.h"
#include "tensorlib/cuda.h"
#include "tensorlib/custom_function.h"
#include "tensorlib/data.h"
#include "tensorlib/error.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/nn.h"
#include "tensorlib/ops.h"
#include "tensorlib/optim.h"
#include "tensorlib/parallel.h"
#include "tensorlib/serialize.h"
#include "tensorlib/tensor.h"
#include "tensorlib/transfer.h"
#include "tensorlib/typed.h"
#include "tensorlib/utils.h"
