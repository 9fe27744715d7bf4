#pragma once
// The seam between the emulated device and the host version of a kernel: what the emulator tells a
// kernel library about the thread that runs, and what it does for it at a barrier. Plain data and
// function pointers, so that neither side links the other.

#include <vector_types.h>

#include <cstddef>
#include <cstdint>

namespace xfer::emulator {

/// The votes of the threads that met at a barrier.
struct BlockVote {
  unsigned arrived;  ///< threads that met
  unsigned holding;  ///< of these, threads whose predicate was not zero
};

inline constexpr unsigned kWarpSize = 32;
inline constexpr std::size_t kMaxLaneBytes = 16;

/// The thread that runs now. One per kernel library; the emulator writes it whenever it switches
/// threads. One kernel runs at a time, so this needs no lock and no thread-local storage.
struct ThreadState {
  uint3 thread;
  uint3 block;
  dim3 block_dim;
  dim3 grid_dim;
  void* dynamic_shared;
  /// Waits for every thread of the block that has not returned.
  BlockVote (*sync_block)(int predicate);
  /// Waits for the lanes of `mask` that have not returned; returns the lanes that met. *lanes is
  /// then what each of them brought, until this thread waits again.
  unsigned (*sync_warp)(unsigned mask, const void* value, std::size_t bytes,
                        const unsigned char (**lanes)[kMaxLaneBytes]);
  /// Ends the kernel, and with it the device's use: does not return.
  void (*trap)();
};

/// One launch as the host version sees it.
struct LaunchContext {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes;
  /// Calls body(closure) once for every thread of the grid, block by block, with *state set.
  void (*for_each_thread)(const LaunchContext* context, ThreadState* state, void (*body)(void*),
                          void* closure);
};

/// Runs a whole grid. args[i] points to a copy of the i-th kernel argument in which device pointers
/// are already addresses that the kernel may touch.
using HostKernelRun = void (*)(const LaunchContext* context, void** args);

/// A kernel that waits for what others bring: ranks of a collective, say, on other devices or in
/// other processes. Each launch is a run of its own, made when its turn in the stream comes.
struct WaitingKernel {
  void* (*begin)(void** args);
  /// False: it is not over, and is asked again. `patient`: it may wait a while for others, with the
  /// machine's lock held.
  bool (*go_on)(void* run, bool patient);
  void (*end)(void* run);
};

/// Set in the size of an argument that is a pointer: if it points to host memory that a device
/// cannot reach, the kernel that follows it fails as it would on a device.
inline constexpr std::size_t kPointerArgument = std::size_t{1} << 63;

/// The emulator exports this as `xfer_emulator_register_kernel`. A later registration of the same
/// name replaces the earlier one.
using RegisterKernel = void (*)(const char* mangled_name, HostKernelRun run,
                                const std::size_t* arg_sizes, std::size_t nargs);

}  // namespace xfer::emulator
