#pragma once
// The few questions the tracer puts to CUDA from inside a callback: is this stream being captured,
// what kind of memory is this. None of them synchronises. The functions are those of the program's
// own CUDA, found at run time: the driver's where it is loaded, else the runtime's (which is all
// the emulated CUDA has).

#include <cstdint>
#include <string>

#include "device_variables.h"
#include "graphs/graph_reader.h"
#include "in_flight.h"
#include "touched_range.h"
#include "unread_downloads.h"
#include "xfer/event.h"

namespace xfer::tracer {

class CudaQueries {
 public:
  void find();

  /// True when it cannot be told.
  bool is_capturing(std::uint64_t stream) const;
  /// kUnknown when it cannot be told.
  Space space_of(std::uint64_t address) const;
  /// Of an element of the CUDA array; 0 when it cannot be told.
  std::uint64_t element_bytes(std::uint64_t array) const;
  /// Whether the emulated CUDA would skip this kernel. False on a real one.
  bool is_skipped_kernel(const char* mangled) const;
  /// The outcome of each launched kernel, as emulated CUDA reports it (JSON); empty on a real one.
  std::string kernel_report() const;
  /// Whether the calling thread runs a kernel, as one of the emulated CUDA's does. Safe in a signal
  /// handler.
  bool in_kernel() const { return in_kernel_ != nullptr && in_kernel_() != 0; }
  /// Emulated CUDA watches host memory; empty on a real one.
  HostWatch host_watch() const;
  /// How often the watch rested.
  std::uint64_t watch_rests() const { return watch_rests_ != nullptr ? watch_rests_() : 0; }
  /// Answers as long as this object lives.
  GraphQuery graph_query() const;
  /// Of a watched byte.
  struct HostTouch {
    std::uint64_t id;
    std::uint64_t begin;
    std::uint64_t bytes;
    bool writes;
  };
  /// Asks emulated CUDA for the places of variables; empty on a real one.
  VariableQuery variable_query() const;
  enum class WatchedFault { kNone, kMayGoOn, kTouched };
  /// Whether the fault, with its ucontext_t, came of the watch. Safe in a signal handler.
  WatchedFault watched_fault(std::uint64_t address, void* context, HostTouch& touch) const {
    if (watched_fault_ == nullptr) return WatchedFault::kNone;
    return static_cast<WatchedFault>(
        watched_fault_(reinterpret_cast<const void*>(address), context, &touch));
  }
  /// Whether the trap did. Safe in a signal handler.
  bool stepped(void* context) const { return stepped_ != nullptr && stepped_(context); }
  /// A system call is to touch these bytes. Whether some are watched.
  bool system_touches(const void* address, std::uint64_t bytes, bool writes,
                      HostTouch& touch) const {
    return system_touches_ != nullptr && system_touches_(address, bytes, writes, &touch);
  }
  void system_touched() const {
    if (system_touched_ != nullptr) system_touched_();
  }
  /// Emulated CUDA's knowledge of host code's uses of pinned memory; empty on a real one.
  HostUse host_use() const;
  /// Makes emulated CUDA record what kernels touch; empty on a real one.
  TouchQuery touch_query() const;
  /// Calls f with an address in each library whose frames a call stack need not show.
  template <typename F>
  void for_each_module(F&& f) const {
    for (const void* address : {runtime_address_, driver_address_})
      if (address != nullptr) f(address);
  }
  bool emulated() const { return runs_kernel_ != nullptr; }

 private:
  using StreamIsCapturing = int (*)(void* stream, int* status);
  using PointerAttribute = int (*)(void* data, int attribute, std::uint64_t address);
  using PointerAttributes = int (*)(void* attributes, const void* address);
  using ArrayGetInfo = int (*)(void* description, void* extent, unsigned* flags, void* array);
  using ArrayDescriptor = int (*)(void* description, void* array);
  using RunsKernel = int (*)(const char* mangled);
  using ReportKernels = void (*)(void (*take)(void*, const char*), void* data);
  using InKernel = int (*)();
  using Watch = bool (*)(const WatchedBytes* bytes);
  using Release = void (*)(std::uint64_t id);
  using WatchRests = std::uint64_t (*)();
  using Variable = bool (*)(const void* shadow, InVariable* place);
  using FaultOfWatch = int (*)(const void* address, void* context, HostTouch* touch);
  using Stepped = bool (*)(void* context);
  using SystemTouches = bool (*)(const void* address, std::uint64_t bytes, bool writes,
                                 HostTouch* touch);
  using SystemTouched = void (*)();
  using ClearTouches = void (*)(const void* address, std::uint64_t bytes);
  using RecordTouches = void (*)(int on);
  using TouchedBy = int (*)(std::uint32_t correlation, void (*visit)(void*, const TouchedRange*),
                            void* data);
  using HostTouched = int (*)(const void* address, std::uint64_t bytes);
  using OtherView = const void* (*)(const void* address);

  StreamIsCapturing stream_is_capturing_ = nullptr;
  PointerAttribute pointer_attribute_ = nullptr;    // the driver's
  PointerAttributes pointer_attributes_ = nullptr;  // the runtime's
  ArrayDescriptor array_descriptor_ = nullptr;      // the driver's
  ArrayGetInfo array_get_info_ = nullptr;           // the runtime's
  RunsKernel runs_kernel_ = nullptr;
  ReportKernels report_kernels_ = nullptr;  // the emulator's
  InKernel in_kernel_ = nullptr;            // the emulator's
  Watch watch_ = nullptr;                   // and all from here on
  Release release_ = nullptr;
  WatchRests watch_rests_ = nullptr;
  Variable variable_ = nullptr;
  FaultOfWatch watched_fault_ = nullptr;
  Stepped stepped_ = nullptr;
  SystemTouches system_touches_ = nullptr;
  SystemTouched system_touched_ = nullptr;
  ClearTouches clear_touches_ = nullptr;    // the emulator's
  RecordTouches record_touches_ = nullptr;  // the emulator's
  TouchedBy touched_by_ = nullptr;          // the emulator's
  TouchedBy graph_touched_ = nullptr;       // the emulator's
  HostTouched host_touched_ = nullptr;      // the emulator's
  OtherView other_view_ = nullptr;          // the emulator's
  GraphReader graphs_;
  const void* runtime_address_ = nullptr;  // in libcudart.so, when the program shares it
  const void* driver_address_ = nullptr;
};

}  // namespace xfer::tracer
