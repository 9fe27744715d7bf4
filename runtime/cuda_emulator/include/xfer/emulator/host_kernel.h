#pragma once
// CUDA kernel source as plain C++: include this before a file of kernels (no <<<>>> in it), compile
// it with g++ or clang++, and name the kernels that emulated devices shall run:
//
//   #include <xfer/emulator/host_kernel.h>
//   #include "add.cuh"
//   XFER_HOST_KERNEL(add<float>);
//
// Compile into a shared library of its own with default visibility and -Wl,-Bsymbolic: the kernel's
// mangled name is the one that nvcc registers, and is read from the dynamic symbol table. Without
// an emulator in the process registration does nothing. Under nvcc only XFER_DYNAMIC_SHARED means
// anything, so a .cuh may include this for both.
//
// Threads of a block run one after the other, and switch only at barriers and warp operations:
// atomics are plain, and a kernel without barriers costs one call per thread. Not here: textures,
// cooperative groups, dynamic parallelism, wmma.

#if defined(__CUDACC__)

/// Declares `name` as the block's dynamic shared memory, an array of `type`.
#define XFER_DYNAMIC_SHARED(type, name)                   \
  extern __shared__ __align__(16) char xfer_shared_raw[]; \
  type* const name = reinterpret_cast<type*>(xfer_shared_raw)
#define XFER_HOST_KERNEL(...) static_assert(true, "")

#else

#include <vector_functions.h>
#include <vector_types.h>

#include "xfer/emulator/host_kernel_qualifiers.h"
// The qualifiers come first: the rest is written in their terms.
#include "xfer/emulator/host_kernel_device.h"
#include "xfer/emulator/host_kernel_register.h"
#include "xfer/emulator/host_kernel_warp.h"

#endif
