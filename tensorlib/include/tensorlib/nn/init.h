// Initial values of parameters, in place.
#pragma once

#include "tensorlib/tensor.h"

namespace tensorlib::nn::init {

TENSORLIB_API Tensor uniform_(Tensor tensor, double low = 0, double high = 1,
                              CallSite site = CallSite::current());
TENSORLIB_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1,
                             CallSite site = CallSite::current());
TENSORLIB_API Tensor constant_(Tensor tensor, Scalar value, CallSite site = CallSite::current());
TENSORLIB_API Tensor zeros_(Tensor tensor, CallSite site = CallSite::current());
TENSORLIB_API Tensor ones_(Tensor tensor, CallSite site = CallSite::current());
// He's initialisation by the number of inputs, for layers followed by a leaky ReLU of slope `a`.
TENSORLIB_API Tensor kaiming_uniform_(Tensor tensor, double a = 0,
                                      CallSite site = CallSite::current());
TENSORLIB_API Tensor kaiming_normal_(Tensor tensor, double a = 0,
                                     CallSite site = CallSite::current());
TENSORLIB_API Tensor xavier_uniform_(Tensor tensor, double gain = 1,
                                     CallSite site = CallSite::current());

}  // namespace tensorlib::nn::init
