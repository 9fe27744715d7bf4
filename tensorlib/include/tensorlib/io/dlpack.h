// DLPack 1: tensors shared with other libraries in one process, without a copy.
// https://dmlc.github.io/dlpack/latest/
//
// The struct is the one of <dlpack/dlpack.h>, version 1, which this header does not need.
#pragma once

#include "tensorlib/tensor.h"

struct DLManagedTensorVersioned;

namespace tensorlib::io {

// The tensor's memory, kept alive until the receiver calls the struct's deleter. Of a tensor that
// requires its gradient an Error: give its detach().
TENSORLIB_PURE TENSORLIB_API DLManagedTensorVersioned* to_dlpack(
    const Tensor& tensor, CallSite site = CallSite::current());

// A tensor over the other library's memory, which is given back with the last tensor that uses it.
// It takes the struct over even where it refuses it: a version, a device, a type or strides that
// tensorlib does not have. Memory that may only be read is copied.
TENSORLIB_PURE TENSORLIB_API Tensor from_dlpack(DLManagedTensorVersioned* managed,
                                                CallSite site = CallSite::current());

}  // namespace tensorlib::io
