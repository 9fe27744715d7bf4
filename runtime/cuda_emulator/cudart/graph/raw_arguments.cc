#include "cudart/graph/raw_arguments.h"

namespace xfer::emulator {
namespace {

std::vector<std::size_t> sizes_of(const Execution& execution) {
  std::vector<std::size_t> sizes;
  if (execution.host != nullptr) {
    for (const std::size_t size : execution.host->arg_sizes)
      sizes.push_back(size & ~kPointerArgument);
  } else if (execution.code != nullptr) {
    for (const kernels::Parameter& parameter : execution.code->parameters)
      sizes.push_back(parameter.bytes);
  }
  return sizes;
}

}  // namespace

RawArguments::RawArguments(const Execution& execution, void* const* args) {
  const std::vector<std::size_t> sizes = sizes_of(execution);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* const argument = static_cast<const std::byte*>(args[i]);
    values_.emplace_back(argument, argument + sizes[i]);
  }
  for (auto& value : values_) pointers_.push_back(value.data());
}

}  // namespace xfer::emulator
