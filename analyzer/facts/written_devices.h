#pragma once
// Devices that are written out: `torch::kCUDA`, `Device("cuda:1")`, options made from a text.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>

#include "analyzer/facts/device.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The device that an expression is, where it is written out.
std::optional<Device> written_device(const clang::Expr* expr, const clang::ASTContext& context,
                                     Types& types);

/// The device that an enumerator names; unknown: none, or one of another kind.
Device enumerated_device(const clang::EnumType& type, const llvm::APSInt& value,
                         const ModelSet& models);

/// The device that `device(arguments...)` makes, where the arguments are constants: a kind, a kind
/// and an index, a text. Unknown where they give a device that cannot be told; none where they are
/// one already.
std::optional<Device> constant_device(llvm::ArrayRef<const clang::Expr*> arguments,
                                      const clang::ASTContext& context, Types& types);

/// `"cuda:" + std::to_string(rank)`: whatever follows, the text names a CUDA device.
bool names_some_cuda(const clang::Expr& text, Types& types);

/// The CUDA device with this index; unknown, where it is no constant.
Device indexed_device(const clang::Expr& index, const clang::ASTContext& context);

/// A literal, or a string of the standard library.
bool is_text(clang::QualType type, Types& types);

}  // namespace xfer::analyzer
