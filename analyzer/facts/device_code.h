#pragma once
// Code that only runs on a device: nothing in it is analysed, so an error there, mostly an
// intrinsic that Clang does not know, keeps nothing from being found.

#include <clang/AST/DeclBase.h>
#include <clang/Basic/SourceLocation.h>

#include <vector>

namespace xfer::analyzer {

/// Where the bodies of __global__ and __device__ functions stand, in file locations.
std::vector<clang::SourceRange> device_code(const clang::ASTContext& context,
                                            const std::vector<clang::Decl*>& scope);

}  // namespace xfer::analyzer
