// pad: a number's border is joined on, the others are picks of places.
#include <algorithm>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/index.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"
#include "tensorlib/resample.h"

namespace tensorlib {

namespace {

const char* name_of(PadMode mode) {
  switch (mode) {
    case PadMode::Constant: return "constant";
    case PadMode::Reflect: return "reflect";
    case PadMode::Replicate: return "replicate";
    case PadMode::Circular: return "circular";
  }
  return "?";
}

Tensor bordered(Tensor x, int64_t d, int64_t before, int64_t after, double value, CallSite site) {
  const int64_t n = x.size(d);
  int64_t size = 0;
  if (__builtin_add_overflow(n, before, &size) || __builtin_add_overflow(size, after, &size) ||
      size < 0) {
    throw ShapeError(str_cat("pad: ", before, " and ", after, " elements around a dimension of ", n,
                             " leave none"),
                     site);
  }
  const int64_t first = std::clamp<int64_t>(-before, 0, n);
  const int64_t end = std::clamp<int64_t>(n + std::min<int64_t>(after, 0), first, n);
  if (first > 0 || end < n) x = x.narrow(d, first, end - first, site);
  std::vector<Tensor> parts;
  const auto border = [&](int64_t width) {
    if (width <= 0) return;
    std::vector<int64_t> sizes = x.sizes().vec();
    sizes[static_cast<size_t>(d)] = width;
    parts.push_back(full(sizes, value, TensorOptions(x.device()).dtype(x.dtype()), site));
  };
  border(before);
  parts.push_back(x);
  border(after);
  return parts.size() == 1 ? x : cat(parts, d, site);
}

// Where the element `i` places into the dimension comes from; i may be outside on either side.
int64_t place(PadMode mode, int64_t i, int64_t n) {
  switch (mode) {
    case PadMode::Reflect: return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
    case PadMode::Replicate: return std::clamp<int64_t>(i, 0, n - 1);
    default: return (i % n + n) % n;
  }
}

Tensor picked(const Tensor& x, int64_t d, int64_t before, int64_t after, PadMode mode,
              CallSite site) {
  const int64_t n = x.size(d);
  const int64_t most = mode == PadMode::Reflect    ? n - 1
                       : mode == PadMode::Circular ? n
                                                   : std::numeric_limits<int64_t>::max() / 4;
  if (n == 0 || before < 0 || after < 0 || before > most || after > most) {
    throw ShapeError(str_cat("pad: ", before, " and ", after, " elements around a dimension of ", n,
                             " cannot be made in the mode ", name_of(mode)),
                     site);
  }
  std::vector<int64_t> places;
  for (int64_t i = -before; i < n + after; ++i) places.push_back(place(mode, i, n));
  const Tensor index = tensor(places, TensorOptions(x.device()).dtype(kLong), site);
  return pick("pad", x, static_cast<int>(d), index, site);
}

Tensor pad_of(const Tensor& self, IntArrayRef padding, size_t numbers, PadMode mode,
              const char* name, CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  if (padding.size() != numbers) {
    throw ShapeError(
        str_cat(name, ": ", numbers, " numbers are needed, and ", padding.size(), " are given"),
        site);
  }
  const int rank = impl.sizes.size(), spatial = static_cast<int>(numbers / 2);
  if (rank != spatial + 1 && rank != spatial + 2) {
    throw ShapeError(str_cat(name, ": a tensor of ", spatial + 1, " or ", spatial + 2,
                             " dimensions is needed, and the shape is ", self.sizes()),
                     site);
  }
  return pad(self, padding, mode, 0, site);
}

}  // namespace

Tensor pad(const Tensor& self, IntArrayRef pad, PadMode mode, double value, CallSite site) {
  require_defined(self, "self", "pad", site);
  if (pad.size() % 2 != 0 || static_cast<int64_t>(pad.size() / 2) > self.dim()) {
    throw ShapeError(str_cat("pad: ", pad, " are not two numbers for each of at most ", self.dim(),
                             " dimensions"),
                     site);
  }
  if (mode != PadMode::Constant && value != 0) {
    throw Error(str_cat("pad: the mode ", name_of(mode), " takes no value"), site);
  }
  Tensor result = self;
  for (size_t i = 0; i < pad.size(); i += 2) {
    if (pad[i] == 0 && pad[i + 1] == 0) continue;
    const int64_t d = self.dim() - 1 - static_cast<int64_t>(i / 2);
    result = mode == PadMode::Constant ? bordered(result, d, pad[i], pad[i + 1], value, site)
                                       : picked(result, d, pad[i], pad[i + 1], mode, site);
  }
  return result.is_alias_of(self) ? result.clone(site) : result;
}

Tensor constant_pad_nd(const Tensor& self, IntArrayRef padding, Scalar value, CallSite site) {
  return pad(self, padding, kConstant, value.toDouble(), site);
}
Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding, CallSite site) {
  return pad_of(self, padding, 2, kReflect, "reflection_pad1d", site);
}
Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding, CallSite site) {
  return pad_of(self, padding, 4, kReflect, "reflection_pad2d", site);
}
Tensor replication_pad1d(const Tensor& self, IntArrayRef padding, CallSite site) {
  return pad_of(self, padding, 2, kReplicate, "replication_pad1d", site);
}
Tensor replication_pad2d(const Tensor& self, IntArrayRef padding, CallSite site) {
  return pad_of(self, padding, 4, kReplicate, "replication_pad2d", site);
}

}  // namespace tensorlib
