#include "nccl/reduce.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace xfer::emulated_nccl {
namespace {

/// An element as it is computed with.
template <typename Element>
struct Computed {
  using Type = Element;
  static Type load(Element element) { return element; }
  static Element store(Type value) { return value; }
};
template <>
struct Computed<__half> {
  using Type = float;
  static Type load(__half element) { return __half2float(element); }
  static __half store(Type value) { return __float2half(value); }
};
template <>
struct Computed<__nv_bfloat16> {
  using Type = float;
  static Type load(__nv_bfloat16 element) { return __bfloat162float(element); }
  static __nv_bfloat16 store(Type value) { return __float2bfloat16(value); }
};
template <__nv_fp8_interpretation_t kWhich>
struct Small {
  __nv_fp8_storage_t bits;
};
template <__nv_fp8_interpretation_t kWhich>
struct Computed<Small<kWhich>> {
  using Type = float;
  static Type load(Small<kWhich> element) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(element.bits, kWhich)));
  }
  static Small<kWhich> store(Type value) {
    return {__nv_cvt_float_to_fp8(value, __NV_SATFINITE, kWhich)};
  }
};

/// Integers wrap; those narrower than int are promoted in between.
template <typename Value>
Value plus(Value one, Value other) {
  if constexpr (std::is_integral_v<Value>) {
    using Unsigned = std::make_unsigned_t<Value>;
    return static_cast<Value>(
        static_cast<Unsigned>(static_cast<Unsigned>(one) + static_cast<Unsigned>(other)));
  } else {
    return one + other;
  }
}

template <typename Value>
Value times(Value one, Value other) {
  if constexpr (std::is_integral_v<Value>)
    return static_cast<Value>(static_cast<std::uint64_t>(one) * static_cast<std::uint64_t>(other));
  else
    return one * other;
}

/// A NaN on either side makes the result NaN.
template <typename Value>
Value largest(Value one, Value other) {
  if constexpr (std::is_floating_point_v<Value>)
    if (std::isnan(one)) return one;
  return one >= other ? one : other;
}

template <typename Value>
Value smallest(Value one, Value other) {
  if constexpr (std::is_floating_point_v<Value>)
    if (std::isnan(one)) return one;
  return one <= other ? one : other;
}

/// Where values are summed up: one reduction at a time, as the machine's lock is held.
alignas(64) std::byte room[kReducedAtOnce * sizeof(double)];

template <typename Element>
class Reducer {
 public:
  using Its = Computed<Element>;
  using Value = typename Its::Type;

  Reducer(Reduction reduction, std::span<const Part> parts, std::size_t count)
      : reduction_(reduction), parts_(parts), count_(count) {}

  void run(void* result) {
    join(parts_[0], [](Value, Value element) { return element; });
    for (const Part& part : parts_.subspan(1)) add(part);
    auto* const elements = static_cast<std::byte*>(result);
    for (std::size_t i = 0; i < count_; ++i) {
      const Element element = Its::store(last(values_[i]));
      std::memcpy(elements + i * sizeof(Element), &element, sizeof(Element));
    }
  }

 private:
  static Value load(const void* elements, std::size_t index) {
    Element element;
    std::memcpy(&element, static_cast<const std::byte*>(elements) + index * sizeof(Element),
                sizeof(Element));
    return Its::load(element);
  }

  template <typename Join>
  void join(const Part& part, Join joined) {
    if (reduction_ == Reduction::kScaledSum) {
      const Value scale = load(&part.scale, 0);
      for (std::size_t i = 0; i < count_; ++i)
        values_[i] = joined(values_[i], times(load(part.elements, i), scale));
      return;
    }
    for (std::size_t i = 0; i < count_; ++i)
      values_[i] = joined(values_[i], load(part.elements, i));
  }

  void add(const Part& part) {
    switch (reduction_) {
      case Reduction::kSum:
      case Reduction::kAverage:
      case Reduction::kScaledSum:
        return join(part, [](Value one, Value other) { return plus(one, other); });
      case Reduction::kProduct:
        return join(part, [](Value one, Value other) { return times(one, other); });
      case Reduction::kMax:
        return join(part, [](Value one, Value other) { return largest(one, other); });
      case Reduction::kMin:
        return join(part, [](Value one, Value other) { return smallest(one, other); });
    }
  }

  Value last(Value value) const {
    if (reduction_ != Reduction::kAverage) return value;
    using Divided = std::conditional_t<
        std::is_floating_point_v<Value>, Value,
        std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>>;
    return static_cast<Value>(static_cast<Divided>(value) / static_cast<Divided>(parts_.size()));
  }

  const Reduction reduction_;
  const std::span<const Part> parts_;
  const std::size_t count_;
  Value* const values_ = reinterpret_cast<Value*>(room);
};

}  // namespace

void reduce(ncclDataType_t type, Reduction reduction, std::span<const Part> parts,
            std::size_t count, void* result) {
  const auto as = [&]<typename Element>() {
    Reducer<Element>(reduction, parts, count).run(result);
  };
  switch (type) {
    case ncclInt8: return as.operator()<std::int8_t>();
    case ncclUint8: return as.operator()<std::uint8_t>();
    case ncclInt32: return as.operator()<std::int32_t>();
    case ncclUint32: return as.operator()<std::uint32_t>();
    case ncclInt64: return as.operator()<std::int64_t>();
    case ncclUint64: return as.operator()<std::uint64_t>();
    case ncclFloat16: return as.operator()<__half>();
    case ncclFloat32: return as.operator()<float>();
    case ncclFloat64: return as.operator()<double>();
    case ncclBfloat16: return as.operator()<__nv_bfloat16>();
    case ncclFloat8e4m3: return as.operator()<Small<__NV_E4M3>>();
    case ncclFloat8e5m2: return as.operator()<Small<__NV_E5M2>>();
    case ncclNumTypes: return;
  }
}

}  // namespace xfer::emulated_nccl
