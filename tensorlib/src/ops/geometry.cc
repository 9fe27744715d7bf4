#include "ops/geometry.h"

namespace tensorlib {

Dims broadcast_sizes(const Tensor& a, const Tensor& b, const char* operation, CallSite site) {
  const Dims& x = a.impl()->sizes;
  const Dims& y = b.impl()->sizes;
  if (x == y) return x;
  const Dims& longer = x.size() >= y.size() ? x : y;
  const Dims& shorter = x.size() >= y.size() ? y : x;
  const int missing = longer.size() - shorter.size();
  Dims sizes = longer;
  for (int i = missing; i < sizes.size(); ++i) {
    const int64_t other = shorter[i - missing];
    if (sizes[i] == other || other == 1) continue;
    if (sizes[i] != 1) {
      throw ShapeError(str_cat(operation, ": shapes ", IntArrayRef(x), " and ", IntArrayRef(y),
                               " do not broadcast: sizes ", sizes[i], " and ", other,
                               " meet in dimension ", i, " and neither is 1"),
                       site);
    }
    sizes[i] = other;
  }
  return sizes;
}

Dims broadcast_strides(const TensorImpl& impl, const Dims& sizes) {
  Dims strides = Dims::filled(sizes.size(), 0);
  const int missing = sizes.size() - impl.sizes.size();
  for (int i = missing; i < sizes.size(); ++i) {
    if (impl.sizes[i - missing] == sizes[i]) strides[i] = impl.strides[i - missing];
  }
  return strides;
}

}  // namespace tensorlib
