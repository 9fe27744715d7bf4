#include "machine/machine.h"

#include <driver_types.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "machine/cost_model.h"
#include "machine/fault.h"
#include "machine/grid_in_progress.h"
#include "machine/machine_memory.h"
#include "machine/say.h"
#include "machine/watch/own_work.h"

namespace xfer::emulator {
namespace {

std::atomic<Machine*> made{nullptr};

Options read_options() {
  std::vector<std::string> complaints;
  Options options = parse_options(std::getenv("XFERCHECK_EMULATE"),
                                  std::getenv("XFERCHECK_OPTIONS"), &complaints);
  const char* const text = std::getenv("XFERCHECK_OPTIONS");
  if (text != nullptr && std::string_view(text).find("help=1") != std::string_view::npos) {
    say("XFERCHECK_OPTIONS of emulated CUDA devices:\n{}", describe_options());
  }
  for (const std::string& line : complaints) say("xfercheck: {}\n", line);
  return options;
}

}  // namespace

Machine& Machine::instance() {
  static Machine* const machine = [] {
    auto* const self = new Machine;
    made.store(self, std::memory_order_release);
    if (self->device_count() > 0) {
      install_fault_handler();
      // A child shares the memory files but none of the threads that might hold the lock.
      const auto shares_memory = [] {
        if (Machine* const parent = existing()) parent->host_memory_.pinned().share();
      };
      pthread_atfork(shares_memory, nullptr, [] {
        if (Machine* const parent = existing()) {
          parent->forked_.store(true, std::memory_order_relaxed);
          parent->host_watch_.forget_in_child();
        }
      });
    }
    return self;
  }();
  return *machine;
}

Machine* Machine::existing() { return made.load(std::memory_order_acquire); }

Machine::Machine()
    : options_(read_options()),
      scheduler_(options_.schedule, options_.seed,
                 [this](const Activity& activity) { report(activity); }),
      now_ns_(1'000'000'000) {
  if (options_.devices == 0) return;
  if (options_.memory == 0)
    options_.memory = memory_of_device(memory_of_machine(), options_.devices);
  const std::string problem = memory_.map(options_.devices, options_.memory);
  if (!problem.empty()) {
    say("xfercheck: cannot map {} bytes for each of {} emulated devices ({}); make them "
        "smaller with XFERCHECK_OPTIONS=emulate_memory=SIZE\n",
        options_.memory, options_.devices, problem);
    return;
  }
  devices_.resize(static_cast<std::size_t>(options_.devices));
  for (int device = 0; device < device_count(); ++device) {
    scheduler_.add_stream(device, cudaStreamDefault, 0, true);
  }
}

AddressInfo Machine::locate(const void* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  AddressInfo place;
  place.device = memory_.device_of(value);
  if (place.device >= 0) {
    place.kind = MemoryKind::kDevice;
    const auto block = memory_.find(value);
    place.dangling = !block;
    if (block) {
      place.begin = block->address;
      place.bytes = block->bytes;
    }
  } else if (const auto block = host_memory_.find(value)) {
    place.kind = block->kind == HostKind::kManaged ? MemoryKind::kManaged : MemoryKind::kPinned;
    place.begin = block->address;
    place.bytes = block->bytes;
  }
  return place;
}

std::byte* Machine::reach(const void* address) const {
  auto value = reinterpret_cast<std::uintptr_t>(address);
  if (memory_.device_of(value) >= 0)
    value = memory_.kernel_view(value);
  else if (host_memory_.pinned().holds(value))
    value = host_memory_.pinned().copy_view(value);
  return reinterpret_cast<std::byte*>(value);
}

HostWatch::Verdict Machine::watched_fault(std::uintptr_t address, void* context, HostTouch* touch) {
  HostTouch ignored;
  return host_watch_.fault(address, context,
                           grid_in_progress() == nullptr ? this_thread_is_early_for() : 0,
                           touch != nullptr ? touch : &ignored);
}

Stream* Machine::stream(cudaStream_t handle, DefaultStream null_means) {
  ThreadContext& thread = this_thread_context();
  if (handle == nullptr) {
    handle = null_means == DefaultStream::kLegacy ? cudaStreamLegacy : cudaStreamPerThread;
  }
  if (handle == cudaStreamLegacy) return scheduler_.legacy(thread.device);
  if (handle == cudaStreamPerThread) {
    Stream*& own = thread.streams[thread.device];
    if (own == nullptr || !scheduler_.knows(own)) {
      own = scheduler_.add_stream(thread.device, cudaStreamDefault, 0, false);
    }
    return own;
  }
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return scheduler_.knows(stream) ? stream : nullptr;
}

Event* Machine::event(cudaEvent_t handle) {
  const auto it = events_.find(reinterpret_cast<const Event*>(handle));
  return it == events_.end() ? nullptr : it->second.get();
}

Event* Machine::add_event(int device, unsigned flags) {
  auto event = std::make_unique<Event>();
  event->device = device;
  event->id = next_event_id_++;
  event->flags = flags;
  Event* const key = event.get();
  events_.emplace(key, std::move(event));
  return key;
}

void Machine::remove_event(Event* event) { events_.erase(event); }

void Machine::wait_until(std::uint64_t ns) {
  const std::uint64_t present = now();
  if (ns > present) spend(ns - present);
  spend(cost::kSyncNs);
}

void Machine::place(Stream& stream, DeviceEngine engine, std::uint64_t duration_ns,
                    Activity* activity) {
  // Times are given in the order of queueing, so they are the same under every schedule.
  Device& on = device(stream.device);
  std::uint64_t& engine_free = on.engine_free_ns[static_cast<int>(engine)];
  std::uint64_t begin = std::max({now() + cost::kStartNs, stream.ready_ns, engine_free});
  if (stream.legacy) {
    begin = std::max(begin, blocking_ready_ns(stream.device));
  } else if (stream.blocking) {
    begin = std::max(begin, scheduler_.legacy(stream.device)->ready_ns);
  }
  const std::uint64_t end = begin + duration_ns;
  stream.ready_ns = end;
  engine_free = end;
  activity->device = stream.device;
  activity->stream = stream.id;
  activity->correlation = this_thread_context().correlation;
  activity->graph_node = this_thread_context().graph_node;
  activity->submitted_ns = now();
  if (Observer* const watcher = observer.load(std::memory_order_acquire)) {
    activity->watcher_ns = watcher->clock_ns();
  }
  activity->begin_ns = begin;
  activity->end_ns = end;
}

std::uint64_t Machine::device_ready_ns(int device) const {
  std::uint64_t ready = 0;
  for (const auto& stream : scheduler_.streams()) {
    if (stream->device == device) ready = std::max(ready, stream->ready_ns);
  }
  return ready;
}

std::uint64_t Machine::blocking_ready_ns(int device) const {
  std::uint64_t ready = 0;
  for (const auto& stream : scheduler_.streams()) {
    if (stream->device == device && stream->blocking) ready = std::max(ready, stream->ready_ns);
  }
  return ready;
}

void Machine::report_sync(Activity activity) {
  activity.correlation = this_thread_context().correlation;
  activity.submitted_ns = activity.begin_ns;
  if (Observer* const watcher = observer.load(std::memory_order_acquire)) {
    activity.watcher_ns = watcher->clock_ns();
  }
  report(activity);
}

void Machine::reset(Lock& lock, int index) {
  scheduler_.finish_device(lock, index);
  memory_.clear(index);
  KernelRegistry::instance().forget_symbols(index);
  const auto is_gone = [&](std::uintptr_t address) { return memory_.device_of(address) == index; };
  std::erase_if(freed_in_stream, is_gone);
  std::erase_if(kernel_heap, is_gone);
  device(index) = Device{};
  has_context_[static_cast<std::size_t>(index)] = false;
}

void Machine::report(const Activity& activity) {
  if (Observer* const watcher = observer.load(std::memory_order_acquire)) {
    watcher->activity(activity);
  }
}

ThreadContext& this_thread_context() {
  static thread_local ThreadContext context;
  return context;
}

}  // namespace xfer::emulator
