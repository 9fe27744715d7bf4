#include "tensorlib/factories.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "backend/platform.h"
#include "core/check.h"
#include "core/generator.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/geometry.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib {

namespace {

Tensor make(IntArrayRef sizes, const TensorOptions& options, const char* operation, CallSite site) {
  Placement placement{Placement::How::kCreated, operation, site};
  const Device device = options.device();
  if (!options.has_device() && device.is_cpu()) {
    placement.device_guard = chooser_of_current_device();
  }
  return allocate(sizes, options.dtype(), device, placement, options.pinned_memory());
}

// Sets requires_grad last, as the options say: a leaf that requires it is not written to.
Tensor leaf(Tensor made, const TensorOptions& options, CallSite site) {
  if (options.requires_grad()) made.requires_grad_(true, site);
  return made;
}

Tensor make_filled(IntArrayRef sizes, Scalar value, const TensorOptions& options,
                   const char* operation, CallSite site) {
  Tensor result = make(sizes, options, operation, site);
  result.fill_(value, site);
  return leaf(std::move(result), options, site);
}

// A plain new tensor filled by the generator.
Tensor make_random(IntArrayRef sizes, const TensorOptions& options, const char* operation,
                   Distribution distribution, double a, double b, CallSite site) {
  Tensor result = make(sizes, options, operation, site);
  fill_random(result, distribution, a, b, operation, site);
  return leaf(std::move(result), options, site);
}

TensorOptions like(const Tensor& self, const TensorOptions& options, const char* operation,
                   CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", operation, site);
  return TensorOptions(options.device_opt().value_or(impl.storage->device))
      .dtype(options.dtype_opt().value_or(impl.dtype))
      .pinned_memory(options.pinned_memory())
      .requires_grad(options.requires_grad());
}

// The type of new tensors made from a number.
ScalarType default_type(Scalar value) { return value.isFloatingPoint() ? kFloat : value.type(); }

}  // namespace

Tensor empty(IntArrayRef sizes, TensorOptions options, CallSite site) {
  return leaf(make(sizes, options, "empty", site), options, site);
}
Tensor zeros(IntArrayRef sizes, TensorOptions options, CallSite site) {
  return make_filled(sizes, 0, options, "zeros", site);
}
Tensor ones(IntArrayRef sizes, TensorOptions options, CallSite site) {
  return make_filled(sizes, 1, options, "ones", site);
}
Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options, CallSite site) {
  return make_filled(sizes, value, options.dtype(options.dtype_opt().value_or(default_type(value))),
                     "full", site);
}
Tensor rand(IntArrayRef sizes, TensorOptions options, CallSite site) {
  return make_random(sizes, options, "rand", Distribution::uniform, 0, 1, site);
}
Tensor randn(IntArrayRef sizes, TensorOptions options, CallSite site) {
  return make_random(sizes, options, "randn", Distribution::normal, 0, 1, site);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, TensorOptions options, CallSite site) {
  if (low >= high) {
    throw Error(str_cat("randint: there is no integer in [", low, ", ", high, ")"), site);
  }
  return make_random(sizes, options, "randint", Distribution::integer, static_cast<double>(low),
                     static_cast<double>(high), site);
}
Tensor randint(int64_t high, IntArrayRef sizes, TensorOptions options, CallSite site) {
  return randint(0, high, sizes, options, site);
}

Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options, CallSite site) {
  const double first = start.toDouble(), last = end.toDouble(), by = step.toDouble();
  if (by == 0 || (last - first) / by < 0 || !std::isfinite((last - first) / by)) {
    throw Error(str_cat("arange: steps of ", by, " do not lead from ", first, " to ", last), site);
  }
  if ((last - first) / by > 0x1p62) {
    throw ShapeError(str_cat("arange: steps of ", by, " from ", first, " to ", last,
                             " are more than a tensor can hold"),
                     site);
  }
  const bool floating = start.isFloatingPoint() || end.isFloatingPoint() || step.isFloatingPoint();
  options = options.dtype(options.dtype_opt().value_or(floating ? kFloat : kLong));
  const auto count = static_cast<int64_t>(std::ceil((last - first) / by));
  Tensor result = make({count}, options, "arange", site);
  if (count > 0) {
    backend_for(result.device())
        .arange(result.dtype(), result.impl()->writable(), count, start, step);
  }
  return leaf(std::move(result), options, site);
}
Tensor arange(Scalar start, Scalar end, TensorOptions options, CallSite site) {
  return arange(start, end, 1, options, site);
}
Tensor arange(Scalar end, TensorOptions options, CallSite site) {
  return arange(0, end, 1, options, site);
}

Tensor linspace(Scalar start, Scalar end, int64_t steps, TensorOptions options, CallSite site) {
  if (steps < 0) throw Error(str_cat("linspace: ", steps, " steps"), site);
  const double first = start.toDouble(), last = end.toDouble();
  const double by = steps > 1 ? (last - first) / static_cast<double>(steps - 1) : 0;
  Tensor result = make({steps}, options, "linspace", site);
  if (steps > 0) {
    const NoGradGuard no_grad;
    const Tensor exact =
        make({steps}, TensorOptions(result.device()).dtype(kDouble), "linspace", site);
    backend_for(result.device()).arange(kDouble, exact.impl()->writable(), steps, first, by);
    if (steps > 1) exact.select(0, steps - 1, site).fill_(end, site);
    result.copy_(exact, false, site);
  }
  return leaf(std::move(result), options, site);
}

Tensor eye(int64_t n, TensorOptions options, CallSite site) {
  Tensor result = make_filled({n, n}, 0, options, "eye", site);
  if (n > 0) result.detach(site).as_strided({n}, {n + 1}).fill_(1, site);
  return result;
}

Tensor tensor(const detail::TensorData& data, TensorOptions options, CallSite site) {
  if (!data.rectangular()) throw ShapeError("tensor: the rows have different lengths", site);
  if (!data.same_type()) {
    throw DTypeMismatchError(
        "tensor: the values have different types\n"
        "help: write them all as integers (1) or all as floating (1.0)",
        site);
  }
  const ScalarType type =
      options.dtype_opt().value_or(data.type() == kDouble ? kFloat : data.type());
  Tensor result = make(data.sizes(), options.device(kCPU).dtype(type), "tensor", site);
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text)                   \
  case ScalarType::name: {                                       \
    cpp* out = static_cast<cpp*>(result.impl()->writable());     \
    for (Scalar value : data.values()) *out++ = value.to<cpp>(); \
    break;                                                       \
  }
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  if (options.device().is_cpu()) return leaf(std::move(result), options, site);
  Tensor placed = make(data.sizes(), options.dtype(type), "tensor", site);
  const CauseScope cause(TransferCause::kCreated);
  placed.copy_(result, false, site);
  return leaf(std::move(placed), options, site);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                 const std::function<void(void*)>& deleter, TensorOptions options, CallSite site) {
  if (sizes.size() != strides.size() || sizes.size() > size_t{kMaxDims}) {
    throw ShapeError(str_cat("from_blob: sizes ", sizes, " and strides ", strides,
                             " do not describe a tensor of at most ", kMaxDims, " dimensions"),
                     site);
  }
  int64_t last = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || strides[i] < 0) {
      throw ShapeError(str_cat("from_blob: negative size or stride in ", sizes, ", ", strides),
                       site);
    }
    int64_t reach = 0;
    if (sizes[i] > 0 && (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) ||
                         __builtin_add_overflow(last, reach, &last))) {
      throw ShapeError(str_cat("from_blob: sizes ", sizes, " and strides ", strides, " overflow"),
                       site);
    }
  }
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  const int64_t elements = empty ? 0 : last + 1;
  if (data == nullptr && elements > 0) {
    throw Error(str_cat("from_blob: the address is null, and the sizes are ", sizes), site);
  }
  auto storage =
      std::make_shared<Storage>(data, static_cast<size_t>(elements) * elementSize(options.dtype()),
                                resolve(options.device(), site), deleter,
                                Placement{Placement::How::kWrapped, "from_blob", site});
  return leaf(Tensor(std::make_shared<TensorImpl>(std::move(storage), 0, Dims(sizes), Dims(strides),
                                                  options.dtype())),
              options, site);
}
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options, CallSite site) {
  return from_blob(data, sizes,
                   contiguous_strides(sizes.slice(0, std::min<size_t>(sizes.size(), kMaxDims))), {},
                   options, site);
}
Tensor from_blob(void* data, IntArrayRef sizes, const std::function<void(void*)>& deleter,
                 TensorOptions options, CallSite site) {
  return from_blob(data, sizes,
                   contiguous_strides(sizes.slice(0, std::min<size_t>(sizes.size(), kMaxDims))),
                   deleter, options, site);
}
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options,
                 CallSite site) {
  return from_blob(data, sizes, strides, {}, options, site);
}

Tensor empty_like(const Tensor& self, TensorOptions options, CallSite site) {
  return leaf(make(self.sizes(), like(self, options, "empty_like", site), "empty_like", site),
              options, site);
}
Tensor full_like(const Tensor& self, Scalar value, TensorOptions options, CallSite site) {
  return make_filled(self.sizes(), value, like(self, options, "full_like", site), "full_like",
                     site);
}
Tensor zeros_like(const Tensor& self, TensorOptions options, CallSite site) {
  return make_filled(self.sizes(), 0, like(self, options, "zeros_like", site), "zeros_like", site);
}
Tensor ones_like(const Tensor& self, TensorOptions options, CallSite site) {
  return make_filled(self.sizes(), 1, like(self, options, "ones_like", site), "ones_like", site);
}
Tensor rand_like(const Tensor& self, TensorOptions options, CallSite site) {
  return make_random(self.sizes(), like(self, options, "rand_like", site), "rand_like",
                     Distribution::uniform, 0, 1, site);
}
Tensor randn_like(const Tensor& self, TensorOptions options, CallSite site) {
  return make_random(self.sizes(), like(self, options, "randn_like", site), "randn_like",
                     Distribution::normal, 0, 1, site);
}

}  // namespace tensorlib
