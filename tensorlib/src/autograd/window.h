// Gradients of convolution and pooling, made of operations that every backend has: slices of a
// padded image, products, sums. One pass over the image per place in the window.
#pragma once

#include "backend/kernel_args.h"
#include "core/tensor_impl.h"

namespace tensorlib {

// Of conv2d: [n, c, h, w] by a weight [out_c, c / groups, kh, kw].
Tensor conv2d_gradient_of_input(const Tensor& g, const Tensor& weight, const Conv2dShape& shape,
                                CallSite site);
Tensor conv2d_gradient_of_weight(const Tensor& g, const Tensor& input, const Conv2dShape& shape,
                                 CallSite site);

// Of pooling of `input` to `result`, both [..., h, w]. Among equal maxima the first is the one.
Tensor max_pool2d_gradient(const Tensor& g, const Tensor& input, const Tensor& result,
                           const Pool2dShape& shape, CallSite site);
Tensor avg_pool2d_gradient(const Tensor& g, const Dims& sizes, const Pool2dShape& shape,
                           bool count_padding, CallSite site);
Tensor adaptive_avg_pool2d_gradient(const Tensor& g, const Dims& sizes, const Pool2dShape& shape,
                                    CallSite site);

}  // namespace tensorlib
