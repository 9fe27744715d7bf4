#pragma once
// The tracer in the traced process: subscribes to CUPTI, turns its callbacks and activity records
// into events, and writes them to the trace file. One per process, made at CUDA's initialisation
// and never destroyed, because callbacks may come until the very end.
//
// Rules it keeps, each learnt from a tool that did not: CUPTI is never finalised; no lock is held
// while CUPTI flushes; no CUDA call is made that could wait; the Python GIL is never asked for; a
// forked child forgets everything; what is lost is counted and said.

#include <cupti.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "buffer_pool.h"
#include "cuda_queries.h"
#include "cupti_api.h"
#include "event_queue.h"
#include "kernel_table.h"
#include "python_frames.h"
#include "recorder.h"
#include "scope_names.h"
#include "xfer/annotate.h"
#include "xfer/options.h"
#include "xfer/stack.h"
#include "xfer/trace_writer.h"

namespace xfer::tracer {

struct ThreadState;

struct Fault {
  std::uintptr_t address = 0;
  std::uint64_t bytes = 1;
  std::uintptr_t pc = 0;
  std::uint16_t access = 0;       ///< kReads or kWrites; 0: not known
  std::uint64_t correlation = 0;  ///< of the copy that uses this memory; 0: it is no such
};

/// A touch of watched bytes, but for the place.
Fault fault_of(const CudaQueries::HostTouch& touch) noexcept;

class Tracer {
 public:
  /// Starts tracing; at most once per process. Says in one line why not, when it cannot.
  /// `preloaded`: nobody waits for the trace, so the report is made at exit.
  static void start();
  /// The process's tracer; null before start(), in a forked child, and after the end.
  static Tracer* current() noexcept;
  /// It could not start, or it is over: nothing is traced, and will not be.
  static bool is_off() noexcept;

  /// The program is about to end normally: what CUPTI still has, and what is still open. Calls that
  /// come later are still recorded.
  void flush_all() noexcept;
  /// Completes the file. `how`: what ended the program. Nothing is recorded afterwards.
  void finish(const char* how) noexcept;
  /// The exit code that the program gave; known before finish().
  void note_exit_status(int status) noexcept { exit_status_.store(status & 0xFF); }
  /// From a fatal signal's handler.
  void finish_from_signal() noexcept;
  /// From a fault's handler: host code touched an address that it cannot. Where that is CUDA's
  /// memory, it is written to the file at once, whatever the program makes of it.
  void note_fault(const Fault& fault) noexcept;
  /// The program has the system touch memory that may be watched; then that is over.
  void system_touches(const void* address, std::size_t bytes, bool writes,
                      const void* caller) noexcept;
  void system_touched() noexcept { queries_.system_touched(); }
  /// The program gives plain memory back, to which a result was copied.
  void host_memory_freed(std::uint64_t address) noexcept;
  /// Runs `xfertrace report` on the trace, when nobody else will. After finish(). The exit code
  /// that the program shall have because of its findings; 0: its own.
  int report() noexcept;

  /// The program's annotations: a block of its own allocator; a name; a scope's begin and end, of
  /// this thread.
  void annotate_block(ThreadState& thread, const void* pointer, std::size_t bytes, int device,
                      bool alloc, bool with_stack);
  void annotate_name(ThreadState& thread, const void* pointer, std::size_t bytes, const char* name);
  void write_scope_begin(std::uint32_t thread, ScopeNames::Name& name, std::uint32_t id,
                         std::uint64_t ns);
  void write_scope_end(std::uint32_t thread, std::uint32_t id, std::uint64_t ns);

  /// xfer_listener::examine, for this thread.
  long examine(const ThreadState& thread, const char* about, std::uint64_t since_ns,
               xfer_take_text take, void* to);

  const TracerOptions& options() const { return options_; }
  int pid() const { return pid_; }

 private:
  Tracer(TracerOptions options, CuptiApi cupti, CudaQueries queries,
         std::unique_ptr<TraceWriter> writer, std::string path);

  bool subscribe(std::string& problem);
  void enable_callbacks();
  void enable_activities();
  void describe(const char* how);
  void describe_content();
  void describe_scopes();
  void drain_from_signal() noexcept;
  void say_what_was_lost() noexcept;

  static void CUPTIAPI on_callback(void* tracer, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);
  static void CUPTIAPI on_buffer_requested(std::uint8_t** buffer, std::size_t* size,
                                           std::size_t* records);
  static void CUPTIAPI on_buffer_completed(CUcontext context, std::uint32_t stream,
                                           std::uint8_t* buffer, std::size_t size,
                                           std::size_t valid);

  void on_api(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& data);
  /// Of a copy whose width counts elements of an array; left as it is where that is not known.
  void measure_in_bytes(ApiCall& call) const;
  void on_enter(ThreadState& thread, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                const CUpti_CallbackData& data);
  void on_exit(ThreadState& thread, CUpti_CallbackDomain domain, CUpti_CallbackId id,
               const CUpti_CallbackData& data);
  /// The thread is about to make an event.
  void stir_scopes(ThreadState& thread);
  void place(ThreadState& thread, const CUpti_CallbackData& data);
  std::int16_t device_of(const CUpti_CallbackData& data, std::int16_t otherwise);
  std::uint32_t call_site();
  void read_records(std::uint8_t* buffer, std::size_t valid);

  static constexpr std::size_t kContexts = 256;
  static constexpr int kLongestWaitMs = 1000;

  TracerOptions options_;
  CuptiApi cupti_;
  CudaQueries queries_;
  std::unique_ptr<TraceWriter> writer_;
  std::string path_;
  int pid_;
  FrameFilter filter_;
  PythonFrames python_;
  EventQueue queue_;
  KernelTable kernels_;
  Recorder recorder_;
  BufferPool buffers_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::int64_t clock_offset_ns_ = 0;
  std::atomic<std::uint64_t> records_lost_{0};
  std::atomic<std::uint64_t> content_described_{0};  // copies skipped, when last written
  std::atomic<bool> finished_{false};
  std::atomic<int> exit_status_{-1};  ///< -1: not known
  std::atomic<unsigned> faults_{0};
  std::array<std::atomic<std::uint8_t>, 1024> faults_at_{};  ///< by the place, mixed
  std::atomic<std::uint64_t> last_fault_{0};                 ///< its address and place, mixed
  std::atomic<std::int16_t> device_of_context_[kContexts];
};

}  // namespace xfer::tracer
