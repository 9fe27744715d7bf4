#pragma once
// CUDA's qualifiers for a host compiler. __shared__ is a static: the blocks of a grid run one after
// the other, so the threads of a block share it and nobody else sees it.

#include <vector_types.h>  // brings the toolkit's own definitions, which follow ours nowhere else

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __grid_constant__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __forceinline__

#define __global__ __attribute__((visibility("default"), noinline))
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))

/// Declares `name` as the block's dynamic shared memory, an array of `type`.
#define XFER_DYNAMIC_SHARED(type, name) \
  type* const name = static_cast<type*>(::xfer::emulator::this_thread.dynamic_shared)
