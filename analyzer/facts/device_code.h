#pragma once
// Code that only runs on a device: nothing in it is analysed, so an error there, mostly an
// intrinsic that Clang does not know, keeps nothing from being found.
//
// In a header that a C++ file includes too, `__device__` is a macro of nothing: there what is
// written counts.

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceLocation.h>

#include <vector>

namespace xfer::analyzer {

/// False of CUDA's device functions and kernels.
bool runs_on_host(const clang::FunctionDecl& function);
/// True of kernels, of device functions, and of functions for both sides.
bool runs_on_device(const clang::FunctionDecl& function);
/// A device has the variable for its own, or the host and the devices share it.
bool is_on_device(const clang::VarDecl& variable);

/// Where the bodies of __global__ and __device__ functions stand, in file locations.
std::vector<clang::SourceRange> device_code(const clang::ASTContext& context,
                                            const std::vector<clang::Decl*>& scope);

}  // namespace xfer::analyzer
