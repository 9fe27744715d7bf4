#pragma once
// aten::add.out beside aten::add.Tensor: the variant of an operator that is given its results.

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>

namespace xfer::emulated_torch {

/// The variant that takes the same arguments and then the results, where PyTorch has a CPU kernel
/// of its own for it: results are computed where they belong, without a copy. Nothing: there is
/// none, or the operator changes an argument.
std::optional<c10::OperatorHandle> variant_into(const c10::OperatorHandle& handle);

}  // namespace xfer::emulated_torch
