// The functions that the emulated CUPTI and cuBLAS, and a tracer, use beside CUDA's own.

#include <algorithm>
#include <span>
#include <utility>

#include "cudart/api_call.h"
#include "cudart/execution.h"
#include "cudart/kernel_report.h"
#include "cudart/kernel_translator.h"
#include "cudart/symbols.h"
#include "machine/grid_in_progress.h"
#include "machine/hooks.h"
#include "machine/machine.h"
#include "machine/page.h"
#include "machine/say.h"
#include "machine/watch/own_work.h"

using namespace xfer::emulator;

namespace {

xfer_emulator_host_touch told_of(const HostTouch& touch) {
  return {touch.id, touch.access.begin, touch.access.end - touch.access.begin, touch.access.writes};
}

// At the ends of registered memory lies what else the program has, which system calls may be given.
// False: nothing is left.
bool keep_whole_pages(const HostBlock& block, WatchedBytes& watched) {
  if (!block.is_plain || watched.rows != 1) return false;
  const std::uintptr_t first = whole_pages(block.address);
  const std::uintptr_t last = (block.address + block.bytes) / page_bytes() * page_bytes();
  const std::uintptr_t begin = std::max(watched.begin, first);
  const std::uintptr_t end = std::min(watched.end(), last);
  if (begin >= end) return false;
  watched.begin = begin;
  watched.width = watched.pitch = end - begin;
  return true;
}

int visit_touched(const std::vector<Touched>* touched, bool plain,
                  void (*visit)(void*, const xfer_emulator_touched_range*), void* data) {
  if (touched == nullptr) return 0;
  for (const Touched& range : *touched) {
    const xfer_emulator_touched_range one{range.begin,    range.end,        range.reads,
                                          range.writes,   range.every_byte, plain,
                                          range.in_block, range.width,      range.pitch};
    visit(data, &one);
  }
  return 1;
}

}  // namespace

extern "C" {

bool xfer_emulator_observe(Observer* observer) {
  Machine& machine = Machine::instance();
  Observer* expected = nullptr;
  if (observer == nullptr) {
    machine.observer.store(nullptr, std::memory_order_release);
    return true;
  }
  return machine.observer.compare_exchange_strong(expected, observer, std::memory_order_acq_rel);
}

std::uint64_t xfer_emulator_now_ns() { return Machine::instance().now(); }

int xfer_emulator_current_device() {
  return Machine::instance().device_count() == 0 ? -1 : this_thread_context().device;
}

std::uint32_t xfer_emulator_stream_id(cudaStream_t stream, bool per_thread_default) {
  Machine& machine = Machine::instance();
  if (machine.device_count() == 0 || !machine.usable()) return 0;
  const Lock lock(machine.mutex());
  const Stream* const found = machine.stream(
      stream, per_thread_default ? DefaultStream::kPerThread : DefaultStream::kLegacy);
  return found == nullptr ? 0 : found->id;
}

void xfer_emulator_get_counters(xfer_emulator_counters* counters) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  *counters = {machine.launches,     machine.launches_skipped.load(), machine.copies,
               machine.copied_bytes, machine.scheduler().pending(),   kernel_translations()};
}

int xfer_emulator_missing_byte() { return Machine::instance().missing_byte(); }

void xfer_emulator_report_kernels(void (*take)(void*, const char*), void* data) {
  take(data, kernel_report(KernelRegistry::instance().uses(), -1).c_str());
}

int xfer_emulator_runs_kernel(const char* mangled_name) {
  KernelRegistry& registry = KernelRegistry::instance();
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const auto kernels = registry.find_all(mangled_name);
  // A library tells of work by the name of a kernel that no module has.
  if (kernels.empty()) return registry.host_version(mangled_name) != nullptr ? 1 : 0;
  return std::any_of(
             kernels.begin(), kernels.end(),
             [&](const Kernel* kernel) { return !execution_of(machine, *kernel).skipped(); })
             ? 1
             : 0;
}

bool xfer_emulator_watch(const xfer_emulator_watched_bytes* bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  WatchedBytes watched{bytes->id,    bytes->begin, bytes->width,
                       bytes->pitch, bytes->rows,  bytes->device_writes};
  const auto block = machine.host_memory().find(watched.begin);
  return block && watched.end() <= block->address + block->bytes &&
         (block->kind != HostKind::kRegistered || keep_whole_pages(*block, watched)) &&
         machine.host_watch().watch(watched);
}

bool xfer_emulator_variable(const void* shadow, xfer_emulator_in_variable* place) {
  Machine& machine = Machine::instance();
  if (machine.device_count() == 0 || !machine.usable()) return false;
  const Lock lock(machine.mutex());
  const auto [symbol, at] = KernelRegistry::instance().symbol_around(shadow);
  if (symbol == nullptr || symbol->managed != 0) return false;
  const auto begin = address_of(machine, *symbol, this_thread_context().device);
  if (!begin) return false;
  *place = {*begin, symbol->bytes, symbol->constant, *begin + at};
  return true;
}

void xfer_emulator_release(std::uint64_t id) { Machine::instance().host_watch().release(id); }

std::uint64_t xfer_emulator_watch_rests() {
  Machine* const machine = Machine::existing();
  return machine != nullptr ? machine->host_watch().account().rests : 0;
}

int xfer_emulator_watched_fault(const void* address, void* context,
                                xfer_emulator_host_touch* touch) {
  Machine* const machine = Machine::existing();
  if (machine == nullptr) return 0;
  HostTouch found;
  switch (machine->watched_fault(reinterpret_cast<std::uintptr_t>(address), context, &found)) {
    case HostWatch::Verdict::kNotWatched: return 0;
    case HostWatch::Verdict::kGoOn: return 1;
    case HostWatch::Verdict::kTouched: break;
  }
  *touch = told_of(found);
  return 2;
}

bool xfer_emulator_stepped(void* context) {
  Machine* const machine = Machine::existing();
  return machine != nullptr && machine->host_watch().stepped(context);
}

bool xfer_emulator_system_touches(const void* address, std::uint64_t bytes, bool writes,
                                  xfer_emulator_host_touch* touch) {
  Machine* const machine = Machine::existing();
  if (machine == nullptr) return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  HostTouch found;
  if (!machine->host_watch().touched({begin, begin + bytes, writes}, this_thread_is_early_for(),
                                     &found))
    return false;
  *touch = told_of(found);
  return true;
}

void xfer_emulator_system_touched() {
  if (Machine* const machine = Machine::existing()) machine->host_watch().close_again();
}

void xfer_emulator_clear_touches(const void* address, std::uint64_t bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  machine.host_memory().pinned().clear_touches(reinterpret_cast<std::uintptr_t>(address), bytes);
}

const void* xfer_emulator_other_view(const void* address) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const PinnedMemory& pinned = machine.host_memory().pinned();
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return pinned.holds(value) ? reinterpret_cast<const void*>(pinned.copy_view(value)) : address;
}

void* xfer_emulator_kernel_view(const void* address) { return Machine::instance().reach(address); }

int xfer_emulator_is_kernel_view(const void* address) {
  const DeviceMemory& memory = Machine::instance().memory();
  return memory.device_of(reinterpret_cast<std::uintptr_t>(address) - memory.span()) >= 0 ? 1 : 0;
}

int xfer_emulator_host_touched(const void* address, std::uint64_t bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  return machine.host_memory().pinned().touched(reinterpret_cast<std::uintptr_t>(address), bytes)
             ? 1
             : 0;
}

void xfer_emulator_record_touches(int on) { TouchRecord::enable(on != 0); }

int xfer_emulator_touched_by(std::uint32_t correlation,
                             void (*visit)(void*, const xfer_emulator_touched_range*), void* data) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const TouchRecord& record = machine.touch_record();
  return visit_touched(record.of(correlation), record.was_plain(), visit, data);
}

int xfer_emulator_graph_touched(std::uint32_t correlation,
                                void (*visit)(void*, const xfer_emulator_touched_range*),
                                void* data) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  return visit_touched(machine.touch_record().of_all(correlation), true, visit, data);
}

int xfer_emulator_in_kernel() { return grid_in_progress() != nullptr ? 1 : 0; }

int xfer_emulator_is_captured(cudaStream_t handle) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const Stream* const stream = machine.stream(handle, DefaultStream::kLegacy);
  return stream != nullptr && stream->capture != nullptr ? 1 : 0;
}

void xfer_emulator_count_failed(const char* name, const char* why) {
  KernelRegistry::instance().count_failed(name, why);
}

void xfer_emulator_say(const char* line) { say("xfercheck: {}\n", line); }

void xfer_emulator_next_touches(const xfer_emulator_touched_range* ranges, std::size_t count) {
  std::vector<Touched>& next = this_thread_context().next_touches.emplace();
  for (const xfer_emulator_touched_range& range : std::span(ranges, count))
    next.push_back({range.begin, range.end, range.reads, range.writes, range.every_byte,
                    range.in_block, range.width, range.pitch});
}

int xfer_emulator_is_dry() { return this_thread_context().launches_dry ? 1 : 0; }

int xfer_emulator_launch_dry(int on) {
  ThreadContext& thread = this_thread_context();
  thread.launches_dry = on != 0;
  if (on != 0)
    thread.dry_ns = 0;
  else
    thread.next_kernel_ns = thread.dry_ns;
  return std::exchange(thread.read_dry, false) ? 1 : 0;
}

void xfer_emulator_finish(cudaStream_t handle) {
  Machine& machine = Machine::instance();
  Lock lock(machine.mutex());
  Stream* const stream = machine.stream(handle, DefaultStream::kLegacy);
  if (stream == nullptr || stream->capture != nullptr) return;
  if (stream->legacy)
    machine.scheduler().finish_device(lock, stream->device);
  else
    machine.scheduler().finish(lock, *stream);
}

void xfer_emulator_next_kernel_ns(std::uint64_t duration_ns) {
  this_thread_context().next_kernel_ns = duration_ns;
}

bool xfer_emulator_check_operand(const char* who, const void* address, std::uint64_t bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const int device = this_thread_context().device;
  const AddressInfo place = machine.locate(address);
  const char* problem = nullptr;
  if (place.dangling) {
    problem = "they are in no allocation";
  } else if (place.kind == MemoryKind::kPageable) {
    problem = "they are host memory that no device can reach";
  } else if (place.device >= 0 && place.device != device &&
             !machine.device(device).reaches(place.device)) {
    problem = "they are memory of another device, and peer access to it is not enabled";
  } else if (place.begin + place.bytes - reinterpret_cast<std::uintptr_t>(address) < bytes) {
    problem = "the allocation is too small";
  }
  if (problem == nullptr) return true;
  say("xfercheck: {} on emulated cuda:{} was given {} bytes at {}: {}; every later CUDA call "
      "returns cudaErrorIllegalAddress\n",
      who, device, bytes, address, problem);
  machine.set_lost(cudaErrorIllegalAddress);
  return false;
}

cudaError_t xfer_emulator_not_supported(const char* name) {
  say("xfercheck: {} is not emulated; it returns cudaErrorNotSupported\n", name);
  return remember(cudaErrorNotSupported);
}
}
