// The arguments that operations on images [N, C, H, W] (or one image [C, H, W]) share.
#pragma once

#include "backend/kernel_args.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib {

// One number for both directions, or one for each.
void read_pair(int64_t (&out)[2], IntArrayRef values, int64_t least, const char* name,
               const char* what, CallSite site);

// The number of places for a window along one direction; 0 where it does not fit.
int64_t places_of(const Window2d& window, int direction, int64_t size, bool ceil_mode);

void check_image(const char* name, const Tensor& input, CallSite site);

// The elements as a plain array, not recorded.
inline Tensor plain(const Tensor& tensor, CallSite site) {
  NoGradGuard raw;
  return tensor.defined() ? tensor.contiguous(site) : tensor;
}

}  // namespace tensorlib
