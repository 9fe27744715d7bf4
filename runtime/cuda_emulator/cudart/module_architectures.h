#pragma once
// The GPU architectures that nvcc compiled a module for, from the headers of its device code.

#include <vector>

namespace xfer::emulator {

/// As in sm_80, machine code and PTX alike. `wrapper` is what a program's static constructors give
/// to
/// __cudaRegisterFatBinary. Empty where it is of no known layout.
std::vector<int> module_architectures(const void* wrapper);

}  // namespace xfer::emulator
