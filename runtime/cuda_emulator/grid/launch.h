#pragma once
// One launch of a translated kernel, as the runner takes it.

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace xfer::emulator::grid {

/// Where malloc in a kernel takes its memory from. Addresses as the program knows them.
class Heap {
 public:
  /// At least 16-byte aligned; 0: there is none.
  virtual std::uintptr_t allocate(std::uint64_t bytes) = 0;
  /// Ignores what did not come from allocate().
  virtual void release(std::uintptr_t address) = 0;

 protected:
  ~Heap() = default;
};

struct Launch {
  const kernels::Code* code = nullptr;
  kernels::RunWarp warp = nullptr;  ///< the same for a warp at once; null: threads run one by one
  /// Makes `warp`, or null, when threads one by one have run `enough` instructions. Empty: never.
  std::function<kernels::RunWarp()> make_warp;
  std::uint64_t enough = 0;
  const std::byte* parameters = nullptr;
  const std::uintptr_t* variables = nullptr;
  std::uintptr_t device_base = 0;
  std::uint64_t device_span = 0;
  dim3 grid;
  dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t number = 0;             ///< of the grid
  std::uint64_t start_ns = 0;           ///< of the clock that kernels read
  std::uintptr_t workspace = 0;         ///< as in kernels::Block
  Heap* heap = nullptr;                 ///< null: malloc finds no memory
  unsigned seconds = 0;                 ///< that it may take; 0: any number
  kernels::Touches* touches = nullptr;  ///< as in kernels::Block
  unsigned parties = 1;                 ///< threads of the host that may run it

  std::uint32_t threads() const { return block.x * block.y * block.z; }
  std::uint32_t shared_bytes() const { return code->shared_bytes + dynamic_shared_bytes; }
};

/// A block of the grid as code sees it, except for its index.
kernels::Block block_of(const Launch& launch, const kernels::Services& services, std::byte* shared);

class GridRun;
class SharedGrid;

/// An error on the device.
struct Failure {
  std::string what;          ///< empty: nothing did
  const void* at = nullptr;  ///< in the kernel's code; null: not known
};

/// A grid that runs, no two at once: in a fixed order, in the thread that calls, if there is one
/// party or the launch is cooperative. Where nothing gets further but by what the host does it
/// stops, and goes on when it is called again.
class GridInParts {
 public:
  explicit GridInParts(const Launch& launch);
  GridInParts(const GridInParts&) = delete;
  GridInParts& operator=(const GridInParts&) = delete;
  ~GridInParts();

  /// False: it is not over. `patient`: the caller has nothing better to do than to wait a while.
  bool go_on(bool patient);
  // Of one that is over.
  const Failure& failure() const { return failure_; }
  /// It went on as threads where lanes in step could not.
  bool left_warps() const { return left_warps_; }
  /// Instructions that threads one by one ran, by the text of what they turned in.
  std::uint64_t work() const { return work_; }

 private:
  void begin();
  void go_on(std::unique_ptr<GridRun>& run, bool patient);
  void run_together(bool patient);
  void turn_to_warps(std::unique_ptr<GridRun>& run);
  void finish(std::unique_ptr<GridRun> run);
  void finish();

  std::mutex mutex_;  ///< of those that turn to warps
  Launch launch_;     ///< they change its `warp`
  std::unique_ptr<SharedGrid> grid_;
  std::vector<std::unique_ptr<GridRun>> runs_;  ///< one a party; none: it has not begun, or is over
  Failure failure_;
  bool left_warps_ = false;
  std::uint64_t work_ = 0;
};

/// Runs the grid to its end.
Failure run(const Launch& launch);

/// The failure of a grid in which an assertion does not hold.
inline constexpr const char* kAssertionFailed = "an assertion failed";
/// The failure of a grid that waits for ever.
inline constexpr const char* kNobodyComes =
    "threads of a block wait at a barrier that others never reach";

/// How many blocks of this size a multiprocessor holds, of how many there are.
inline constexpr unsigned kMultiprocessors = 132;
unsigned blocks_per_multiprocessor(std::uint32_t threads, std::uint64_t shared_bytes);

}  // namespace xfer::emulator::grid
