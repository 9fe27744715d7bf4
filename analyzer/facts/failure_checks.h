#pragma once
// Conditions that ask whether a call of a library failed, as programs check every call of CUDA.

#include <optional>

namespace clang {
class Expr;
}

namespace xfer::analyzer {

/// How the condition comes out if the call failed; nothing: it asks for something else, or how the
/// call ends is an answer (cudaPointerGetAttributes, cudaStreamQuery).
///     status != cudaSuccess    true
///     cudaFree(p) == cudaSuccess    false
///     if (cublasCreate(&handle))    true
std::optional<bool> if_failed(const clang::Expr& condition);

/// Of an enumerator that says how a call ended: that it did what it should; nothing: it is none.
std::optional<bool> says_success(const clang::Expr& enumerator);

}  // namespace xfer::analyzer
