#include "ops/image.h"

#include <limits>

namespace tensorlib {

void read_pair(int64_t (&out)[2], IntArrayRef values, int64_t least, const char* name,
               const char* what, CallSite site) {
  if (values.size() != 1 && values.size() != 2) {
    throw ShapeError(str_cat(name, ": ", what, " takes one number or two, not ", values), site);
  }
  out[0] = values[0];
  out[1] = values[values.size() - 1];
  if (out[0] < least || out[1] < least) {
    throw ShapeError(str_cat(name, ": ", what, " is ", values, ", and ", least, " is the least"),
                     site);
  }
  // Sizes computed from numbers up to this do not overflow.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (out[0] > kMost || out[1] > kMost) {
    throw ShapeError(str_cat(name, ": ", what, " is ", values, ", and ", kMost, " is the most"),
                     site);
  }
}

int64_t places_of(const Window2d& w, int d, int64_t size, bool ceil_mode) {
  const int64_t reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
  const int64_t room = size + 2 * w.padding[d] - reach;
  if (room < 0) return 0;
  int64_t count = (room + (ceil_mode ? w.stride[d] - 1 : 0)) / w.stride[d] + 1;
  // The last window must start inside the image or its near padding.
  if (ceil_mode && (count - 1) * w.stride[d] >= size + w.padding[d]) --count;
  return count;
}

void check_image(const char* name, const Tensor& input, CallSite site) {
  require_defined(input, "input", name, site);
  if (input.dim() != 3 && input.dim() != 4) {
    throw ShapeError(
        str_cat(name, ": expected an input [N, C, H, W] or [C, H, W], got shape ", input.sizes()),
        site);
  }
}

}  // namespace tensorlib
