#pragma once
// Writes a trace file (.xft) from inside the traced process. The file is a versioned header and
// then blocks, each compressed, checksummed and appended by one write(): a program that is killed
// leaves a file that is readable up to its last block. trace_reader.h reads it back.
//
// It never throws, never aborts and never prints. When memory, disk or the size limit runs out it
// goes on counting: the events lost are in the file as kDropped (if any byte can still be written)
// and in dropped().
//
// Before events are lost, detail is: behind three quarters of the file's limit, device times;
// behind the limit of stacks, the outer frames of new ones, and behind twice that the stacks. The
// metadata "detail.device_times", "detail.cut_stacks" and "detail.stacks" say how many.
//
// Cost: add() some 50 ns under one mutex, compression included about 100 ns; memory one block (plus
// one for compression), and what was interned. Thread-safe, except where a function says otherwise.
// The order of add() calls is the order of the file.
//
// In a child made by fork() every writer of the parent is silently off: add() and flush() do
// nothing.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "xfer/event.h"

namespace xfer {

/// A Python call in a stack: see python_stack.h.
struct PythonFrameRef {
  std::uint32_t frame = 0;  ///< as intern_python_frame() gave it
  bool entered = false;     ///< native code entered the interpreter for it
};

struct TraceWriterOptions {
  std::size_t block_bytes = 256 * 1024;   ///< of encoded events before a block is written
  std::uint64_t flush_interval_ms = 200;  ///< a helper thread writes what is older; 0: no thread
  std::uint64_t max_file_bytes = 0;       ///< 0: no limit
  std::size_t max_stacks = std::size_t{1} << 17;  ///< known, of some 300 bytes each
  int compression_level = 1;
};

class TraceWriter {
 public:
  /// Creates (or truncates) the file. Null, with errno set, when that fails.
  /// Records command line, executable, working directory, process id and start time by itself.
  static std::unique_ptr<TraceWriter> open(const char* path,
                                           const TraceWriterOptions& options = {}) noexcept;
  ~TraceWriter();  ///< close()
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void add(const Event& event) noexcept;

  /// Ids for Event::name and Event::site; 0 for an empty one, or when memory is out. The same
  /// string or stack gets the same id. Stacks are return addresses as capture_stack gives them; the
  /// modules that they lie in (path, build id, base) are recorded along. Of a Python thread, a
  /// stack has its Python calls too, innermost first.
  std::uint32_t intern_string(std::string_view text) noexcept;
  std::uint32_t intern_python_frame(std::string_view function, std::string_view file,
                                    unsigned line) noexcept;
  std::uint32_t intern_stack(std::span<const std::uintptr_t> return_addresses,
                             std::span<const PythonFrameRef> python = {}) noexcept;

  /// Any number of keys; a later value of a key replaces the earlier one.
  void set_metadata(std::string_view key, std::string_view value) noexcept;

  /// Writes what is buffered. False when it could not be written.
  bool flush() noexcept;

  /// For signal handlers: a lock is waited for a moment and no longer, nothing is allocated or
  /// compressed. The stack becomes the event's site; its modules are those known so far.
  bool add_from_signal(const Event& event, std::span<const std::uintptr_t> return_addresses = {},
                       std::span<const PythonFrameRef> python = {}) noexcept;
  /// True when the buffered events are in the file. `last`: the writer takes no more events.
  bool flush_from_signal(bool last) noexcept;

  /// Flushes and writes the end mark that tells a complete trace from a cut one. Idempotent; what
  /// is added afterwards is lost.
  void close() noexcept;

  /// For a child process that was not made by fork(), such as vfork's: gives the file up.
  void abandon() noexcept;

  std::uint64_t dropped() const noexcept;
  /// The first error, as errno; 0: none. EFBIG: the size limit.
  int error() const noexcept;

 private:
  struct State;
  explicit TraceWriter(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> state_;
};

}  // namespace xfer
