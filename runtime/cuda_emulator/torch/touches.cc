#include "torch/touches.h"

#include <ATen/ATen.h>
#include <ATen/core/enum_tag.h>

#include <algorithm>
#include <array>

#include "torch/composed.h"
#include "torch/on_host.h"

namespace xfer::emulated_torch {
namespace {

/// They touch every element of their operands, whatever these hold.
bool touches_every_element(const c10::OperatorHandle& handle) {
  constexpr std::array<std::string_view, 22> kOthers = {"aten::mm",
                                                        "aten::addmm",
                                                        "aten::bmm",
                                                        "aten::baddbmm",
                                                        "aten::sum",
                                                        "aten::mean",
                                                        "aten::copy_",
                                                        "aten::fill_",
                                                        "aten::zero_",
                                                        "aten::cat",
                                                        "aten::convolution",
                                                        "aten::convolution_backward",
                                                        "aten::_softmax",
                                                        "aten::amax",
                                                        "aten::argmax",
                                                        "aten::_log_softmax",
                                                        "aten::max",
                                                        "aten::prod",
                                                        "aten::native_layer_norm",
                                                        "aten::var",
                                                        "aten::native_batch_norm",
                                                        "aten::dot"};
  return handle.hasTag(at::Tag::pointwise) ||
         std::ranges::find(kOthers, handle.operator_name().name) != kOthers.end();
}

struct Dimension {
  std::uint64_t bytes;  ///< from one to the next
  std::uint64_t count;
};

/// From the innermost out; neighbours without a gap between them are one.
std::vector<Dimension> dimensions_of(const at::Tensor& tensor) {
  const auto item = static_cast<std::uint64_t>(tensor.element_size());
  std::vector<Dimension> all;
  for (std::int64_t i = 0; i < tensor.dim(); ++i)
    if (tensor.size(i) > 1 && tensor.stride(i) > 0)
      all.push_back({static_cast<std::uint64_t>(tensor.stride(i)) * item,
                     static_cast<std::uint64_t>(tensor.size(i))});
  std::ranges::sort(all, {}, &Dimension::bytes);
  std::vector<Dimension> joined = {{item, 1}};
  for (const Dimension& next : all) {
    Dimension& last = joined.back();
    if (next.bytes == last.bytes * last.count)
      last.count *= next.count;
    else
      joined.push_back(next);
  }
  return joined;
}

xfer_emulator_touched_range range_of(const at::Tensor& tensor) {
  const std::vector<Dimension> dimensions = dimensions_of(tensor);
  const auto begin = reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr());
  const std::uint64_t width = dimensions[0].bytes * dimensions[0].count;
  std::uint64_t extent = width;
  for (std::size_t i = 1; i < dimensions.size(); ++i)
    extent += dimensions[i].bytes * (dimensions[i].count - 1);
  xfer_emulator_touched_range range{};
  range.begin = begin;
  range.end = begin + extent;
  range.every_byte = dimensions.size() <= 2;
  range.plain = range.in_block = true;
  if (dimensions.size() == 2 && dimensions[1].bytes > width) {
    range.width = width;
    range.pitch = dimensions[1].bytes;
  } else if (dimensions.size() == 2) {
    range.every_byte = false;  // its elements overlap
  }
  return range;
}

class Collector {
 public:
  /// False: the value has a tensor on a device whose memory is not its elements' alone.
  bool add(const c10::IValue& value, bool reads, bool writes, bool every_element) {
    if (value.isTensor()) return add(value.toTensor(), reads, writes, every_element);
    if (value.isTensorList()) {
      const std::vector<at::Tensor> tensors = value.toTensorVector();
      return std::ranges::all_of(tensors, [&](const at::Tensor& tensor) {
        return add(tensor, reads, writes, every_element);
      });
    }
    if (!value.isList()) return true;
    const c10::List<c10::IValue> list = value.toList();
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.get(i).isTensor() && !add(list.get(i).toTensor(), reads, writes, every_element))
        return false;
    return true;
  }
  bool knows(const at::Tensor& tensor) const {
    return std::ranges::any_of(arguments_,
                               [&](const at::Tensor& its) { return its.is_same(tensor); });
  }
  Touches take() { return std::move(touches_); }

 private:
  bool add(const at::Tensor& tensor, bool reads, bool writes, bool every_element) {
    if (!is_cuda(tensor)) return true;
    if (is_composed(tensor) || !tensor.has_storage()) return false;
    arguments_.push_back(tensor);
    if (tensor.numel() == 0) return true;
    xfer_emulator_touched_range range = range_of(tensor);
    range.reads = reads || !every_element;
    range.writes = writes;
    range.every_byte &= every_element;
    if (!range.every_byte) range.width = range.pitch = 0;
    touches_.push_back(range);
    return true;
  }

  Touches touches_;
  std::vector<at::Tensor> arguments_;
};

}  // namespace

std::optional<Touches> touches_of(const c10::OperatorHandle& handle,
                                  const std::vector<c10::IValue>& arguments,
                                  const std::vector<c10::IValue>& results) {
  const bool every_element = touches_every_element(handle);
  const auto& schema = handle.schema().arguments();
  Collector collector;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool writes = schema[i].alias_info() != nullptr && schema[i].alias_info()->isWrite();
    if (!collector.add(arguments[i], !schema[i].is_out(), writes, every_element))
      return std::nullopt;
  }
  for (const c10::IValue& result : results) {
    if (result.isTensor() && collector.knows(result.toTensor())) continue;
    if (!collector.add(result, false, true, true)) return std::nullopt;
  }
  return collector.take();
}

}  // namespace xfer::emulated_torch
