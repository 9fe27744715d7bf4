#include "torch/out_variant.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace xfer::emulated_torch {
namespace {

using c10::Argument;

/// Losses that are reduced use their result for what is not reduced yet, which has no room there.
bool is_plain(const Argument& argument) {
  return argument.alias_info() == nullptr && !argument.is_out() && argument.name() != "reduction";
}

bool takes(const c10::OperatorHandle& variant, const std::vector<Argument>& arguments,
           const std::vector<Argument>& results) {
  const std::vector<Argument>& its = variant.schema().arguments();
  const std::size_t count = arguments.size();
  if (its.size() != count + results.size()) return false;
  const auto is_same = [](const Argument& a, const Argument& b) {
    return a.name() == b.name() && *a.type() == *b.type();
  };
  return std::equal(arguments.begin(), arguments.end(), its.begin(), is_same) &&
         std::all_of(its.begin() + static_cast<std::ptrdiff_t>(count), its.end(),
                     [](const Argument& argument) { return argument.is_out(); });
}

/// By the name without the overload's.
const std::multimap<std::string, c10::OperatorName>& variants() {
  static const auto* const all = [] {
    auto* found = new std::multimap<std::string, c10::OperatorName>;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
      if (name.overload_name.find("out") != std::string::npos) found->emplace(name.name, name);
    return found;
  }();
  return *all;
}

}  // namespace

std::optional<c10::OperatorHandle> variant_into(const c10::OperatorHandle& handle) {
  const std::vector<Argument>& arguments = handle.schema().arguments();
  const std::vector<Argument>& results = handle.schema().returns();
  const auto is_tensor = [](const Argument& result) {
    return is_plain(result) && *result.type() == *c10::TensorType::get();
  };
  if (results.empty() || !std::ranges::all_of(results, is_tensor) ||
      !std::ranges::all_of(arguments, is_plain))
    return {};
  const auto [begin, end] = variants().equal_range(handle.operator_name().name);
  for (auto name = begin; name != end; ++name) {
    const auto variant = c10::Dispatcher::singleton().findSchema(name->second);
    if (variant && takes(*variant, arguments, results) &&
        variant->hasKernelForDispatchKey(c10::DispatchKey::CPU))
      return variant;
  }
  return {};
}

}  // namespace xfer::emulated_torch
