#pragma once
// The emulated runtime's interface for its watcher: the seam between the emulated libcudart and the
// emulated libcupti. The neutral form of CUPTI's callbacks and activity records.

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "machine/cost_model.h"

namespace xfer::emulator {

/// One side (enter or exit) of a call into the runtime API.
struct ApiCallEvent {
  std::uint32_t cbid;
  bool exit;
  const char* name;
  const void* params;         ///< the toolkit's struct of this call, or null
  cudaError_t* return_value;  ///< valid on exit
  const char* symbol;         ///< mangled kernel name of a launch, else null
  std::uint32_t context;      ///< of the calling thread's current device
  std::uint32_t correlation;
  std::uint64_t* correlation_data;  ///< the watcher's own word, kept from enter to exit
  std::uint64_t begin_ns;
  std::uint64_t end_ns;  ///< valid on exit
};

enum class MemoryKind : std::uint8_t { kPageable, kPinned, kDevice, kManaged, kArray };

/// Something that a device did, with the times of the virtual clock.
struct Activity {
  enum class Kind : std::uint8_t { kNone, kCopy, kFill, kKernel, kSync };
  enum class Sync : std::uint8_t { kEvent, kStreamWait, kStream, kContext };

  Kind kind = Kind::kNone;
  bool async = false;
  MemoryKind source = MemoryKind::kPageable;
  MemoryKind destination = MemoryKind::kPageable;
  int device = 0;
  int source_device = -1;
  int destination_device = -1;
  std::uint32_t stream = 0;
  std::uint32_t correlation = 0;
  std::uint64_t graph_node = 0;  ///< of a launched graph, from 1; 0: a call of its own
  std::uint64_t bytes = 0;
  std::uint32_t value = 0;  ///< of a fill
  std::uint64_t submitted_ns = 0;
  std::uint64_t watcher_ns = 0;  ///< the same moment by the watcher's own clock; 0: it has none
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  const char* name = nullptr;  ///< mangled; lives as long as the process
  dim3 grid;
  dim3 block;
  std::uint32_t shared_bytes = 0;
  Sync sync = Sync::kContext;
  std::uint32_t event = 0;
};

enum class Resource { kContextCreated, kStreamCreated, kStreamDestroyed };

/// Called from whichever thread uses CUDA. api and resource are called with no lock held, activity
/// and clock_ns with the machine's lock held: they must not call back into the runtime.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void api(const ApiCallEvent& event) = 0;
  virtual void activity(const Activity& activity) = 0;
  virtual std::uint64_t clock_ns() = 0;
  virtual void resource(Resource what, std::uint32_t context, cudaStream_t stream) = 0;
};

}  // namespace xfer::emulator

extern "C" {

/// One at a time; null: none. Returns false when another is there already.
bool xfer_emulator_observe(xfer::emulator::Observer* observer);
std::uint64_t xfer_emulator_now_ns();
/// The device current in the calling thread, or -1 when nothing is emulated.
int xfer_emulator_current_device();
/// The number that activities give a stream, 0 when there is no such stream.
std::uint32_t xfer_emulator_stream_id(cudaStream_t stream, bool per_thread_default);

/// Counts of the work that ran and that did not, since the process began.
struct xfer_emulator_counters {
  std::uint64_t launches;
  std::uint64_t launches_skipped;
  std::uint64_t copies;
  std::uint64_t copied_bytes;
  std::uint64_t work_pending;  ///< queued and not run yet, on all streams
  std::uint64_t translations;  ///< of kernels; not of those whose code was kept from a run before
};
void xfer_emulator_get_counters(xfer_emulator_counters* counters);
/// Calls take(data, report) with what became of the kernels that were launched, as the text of a
/// JSON object: see cudart/kernel_report.h.
void xfer_emulator_report_kernels(void (*take)(void*, const char*), void* data);
/// Whether a launch of this kernel runs (1) or is skipped (0). Not with the machine's lock held.
int xfer_emulator_runs_kernel(const char* mangled_name);
/// Whether the calling thread runs a kernel. Safe in a signal handler.
int xfer_emulator_in_kernel();
/// Makes kernels that run from PTX record what they touch.
void xfer_emulator_record_touches(int on);
struct xfer_emulator_touched_range {
  std::uint64_t begin;
  std::uint64_t end;
  bool reads;
  bool writes;
  bool every_byte;      ///< else some of them
  bool plain;           ///< by a kernel that tells others nothing before it ends
  bool in_block;        ///< else where there is none, and may have been one
  std::uint64_t width;  ///< of a row, of which every byte is meant; 0: there are no gaps
  std::uint64_t pitch;  ///< bytes from row to row
};
/// Visits the memory of devices and of the host that the launch of this correlation touched, and
/// places that its parameters point to (empty ranges): 1; 0 where that is not known, or the launch
/// was not the last that ran, or it touched host memory and may have spoken with the host. visit()
/// must not call back.
int xfer_emulator_touched_by(std::uint32_t correlation,
                             void (*visit)(void*, const xfer_emulator_touched_range*), void* data);
/// The same of the kernels of a graph's launch, those that ran so far and cannot have spoken with
/// the host.
int xfer_emulator_graph_touched(std::uint32_t correlation,
                                void (*visit)(void*, const xfer_emulator_touched_range*),
                                void* data);
/// Makes host code fault that touches these bytes of pinned memory until they are released: see
/// host_watch.h. False: they cannot be watched.
struct xfer_emulator_watched_bytes {
  std::uint64_t id;
  std::uint64_t begin;
  std::uint64_t width;
  std::uint64_t pitch;
  std::uint64_t rows;
  bool device_writes;
};
bool xfer_emulator_watch(const xfer_emulator_watched_bytes* bytes);
void xfer_emulator_release(std::uint64_t id);
/// How often closed pages stayed open for a while, since watching them had taken too long.
std::uint64_t xfer_emulator_watch_rests();
/// A place in a variable of a module, on the current device.
struct xfer_emulator_in_variable {
  std::uint64_t begin;
  std::uint64_t bytes;
  bool constant;
  std::uint64_t address;
};
/// By the place in the variable's shadow on the host. False: there is no such variable, or no
/// memory, or it is managed.
bool xfer_emulator_variable(const void* shadow, xfer_emulator_in_variable* place);
struct xfer_emulator_host_touch {
  std::uint64_t id;
  std::uint64_t begin;
  std::uint64_t bytes;
  bool writes;
};
/// In the handler of SIGSEGV, with its ucontext_t. 0: the fault has another cause; 1: the
/// instruction can run now; 2: it can, and touches watched bytes.
int xfer_emulator_watched_fault(const void* address, void* context,
                                xfer_emulator_host_touch* touch);
/// In the handler of SIGTRAP: whether it was of the watch's making.
bool xfer_emulator_stepped(void* context);
/// A system call begins that touches these bytes itself, and is over. Whether some are watched.
bool xfer_emulator_system_touches(const void* address, std::uint64_t bytes, bool writes,
                                  xfer_emulator_host_touch* touch);
void xfer_emulator_system_touched();
/// Whether host code touched pinned memory since the last xfer_emulator_clear_touches, or that is
/// not known: see pinned_memory.h.
void xfer_emulator_clear_touches(const void* address, std::uint64_t bytes);
int xfer_emulator_host_touched(const void* address, std::uint64_t bytes);
/// Where to read pinned memory without touching it; other addresses as they are.
const void* xfer_emulator_other_view(const void* address);
/// In a kernel: where it sees device memory that its arguments do not point to themselves; other
/// addresses as they are.
void* xfer_emulator_kernel_view(const void* address);
/// Whether the address is one that kernels reach a device's memory at: 1 or 0.
int xfer_emulator_is_kernel_view(const void* address);

/// Sets the ranges that the calling thread's next launch touches, for xfer_emulator_touched_by.
void xfer_emulator_next_touches(const xfer_emulator_touched_range* ranges, std::size_t count);
/// From 1 to 0, launches of the calling thread do nothing and nobody is told of them: a library
/// computes what they would. The next launch then takes as long as all of them. Ends with whether a
/// copy to the host was made meanwhile, which may have brought what they would have written.
int xfer_emulator_launch_dry(int on);
/// Whether they do nothing now.
int xfer_emulator_is_dry();
/// The byte that memory is filled with which is given out from now on, since a kernel was skipped
/// that may have had to fill it: 0, or 0xff, of which any number is NaN. -1: none was skipped.
int xfer_emulator_missing_byte();
/// Waits for what the stream was given so far, and tells nobody. Not while it is being captured.
void xfer_emulator_finish(cudaStream_t stream);
/// Whether what the stream is given is kept for a graph.
int xfer_emulator_is_captured(cudaStream_t stream);
/// A launch of the library's kernel of this name could not compute: for the report. Not with the
/// machine's lock held.
void xfer_emulator_count_failed(const char* name, const char* why);
/// Says one line on stderr.
void xfer_emulator_say(const char* line);
/// Libraries have come to the program: at the next call of CUDA, those are loaded that help it.
void xfer_emulator_libraries_came();

/// For libraries whose kernels cost other than their shape says: how long the next launch of the
/// calling thread takes.
void xfer_emulator_next_kernel_ns(std::uint64_t duration_ns);
/// Whether code on the thread's current device may touch all of these bytes. If not, the device is
/// lost, as by an illegal address, and one line says that `who` was at fault.
bool xfer_emulator_check_operand(const char* who, const void* address, std::uint64_t bytes);
}
