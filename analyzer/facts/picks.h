#pragma once
// `if (gpu >= 0) device = torch::Device(torch::kCUDA, gpu); else device = torch::kCPU;`: the one
// choice between devices that a function makes, where one flag or number makes it.

#include <clang/AST/Decl.h>

#include <optional>

#include "analyzer/facts/choice.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// None: the function makes several choices, or none, or one that asks for more.
std::optional<Pick> pick_of(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
