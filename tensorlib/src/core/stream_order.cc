#include "core/stream_order.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"

namespace tensorlib::stream_order {

namespace {

bool asked_for() {
  const char* text = std::getenv("TENSORLIB_STREAM_CHECKS");
  return text != nullptr && std::strcmp(text, "1") == 0;
}

struct Order {
  std::mutex mutex;
  std::vector<cuda::CUDAStream> streams;  // by number
  std::vector<Clock> clocks;              // of each stream
  Clock host;

  size_t number_of(const cuda::CUDAStream& stream) {
    const auto found = std::find(streams.begin(), streams.end(), stream);
    if (found != streams.end()) return static_cast<size_t>(found - streams.begin());
    streams.push_back(stream);
    clocks.emplace_back();
    return streams.size() - 1;
  }
};
Order& order() {
  static auto* const instance = new Order;  // outlives every static tensor
  return *instance;
}

uint64_t entry(const Clock& clock, size_t stream) {
  return stream < clock.size() ? clock[stream] : 0;
}
void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

struct Call {
  const char* operation = "an operation";
  CallSite site = CallSite::none();
};
thread_local Call current_call;

cuda::CUDAStream current_stream(Device device) {
  return {device.index(), cuda_platform()->current_stream(device.index())};
}

std::string line_of(CallSite site) {
  return site.known() ? str_cat(" at ", site.file, ":", site.line) : std::string();
}

// An access that may still be running, and its stream.
struct Conflict {
  Access access;
  cuda::CUDAStream stream;
  bool is_write;
};

// Whether `user` (null: the host) comes behind the access.
bool comes_behind(Order& all, const Access& access, const cuda::CUDAStream* user) {
  if (entry(all.host, access.stream) >= access.time) return true;
  if (user == nullptr) return false;
  const size_t own = all.number_of(*user);
  return own == access.stream || entry(all.clocks[own], access.stream) >= access.time;
}

// The access that a use of the block would overtake: the last write, or for `writes` a read too.
std::optional<Conflict> conflict_with(Order& all, const Storage& storage,
                                      const cuda::CUDAStream* user, bool writes) {
  const Accesses* known = storage.accesses.get();
  if (known == nullptr) return {};
  if (known->write && !comes_behind(all, *known->write, user)) {
    return Conflict{*known->write, all.streams[known->write->stream], true};
  }
  for (size_t i = 0; writes && i < known->reads.size(); ++i) {
    const Access& read = known->reads[i];
    if (!comes_behind(all, read, user)) return Conflict{read, all.streams[read.stream], false};
  }
  return {};
}

[[noreturn]] void refuse(const TensorImpl& tensor, const Conflict& conflict,
                         const cuda::CUDAStream* user) {
  const auto& [access, other, is_write] = conflict;
  const char* const what = is_write ? "write" : "read";
  const std::string used =
      user == nullptr ? "the host has not waited for it" : "this stream has not waited for it";
  const std::string help =
      user == nullptr
          ? "wait before this line: torch::cuda::synchronize(), or an event's synchronize()"
          : str_cat("record a torch::cuda::CUDAEvent behind the ", what,
                    ", and block() this stream by it before this line");
  throw StreamError(
      str_cat(current_call.operation, ": ", tensor.name.empty() ? "an operand" : tensor.name,
              is_write ? " was written in another stream, and "
                       : " is to be written while another stream reads it, and ",
              used, "\n  ", name_of(tensor.dtype), " ", IntArrayRef(tensor.sizes), " on ",
              tensor.storage->device, is_write ? "  written by " : "  read by ", access.operation,
              "()", line_of(access.site), " in ", other, "\n  used here ",
              user == nullptr ? std::string("on the host") : str_cat("in ", *user),
              "\nhelp: ", help),
      current_call.site);
}

// The stream's next access, by this thread's operation.
Access next_access(Order& all, const cuda::CUDAStream& stream) {
  const size_t number = all.number_of(stream);
  Clock& clock = all.clocks[number];
  if (clock.size() <= number) clock.resize(number + 1);
  return {number, ++clock[number], current_call.operation, current_call.site};
}

Accesses& accesses_of(Storage& storage) {
  if (storage.accesses == nullptr) storage.accesses = std::make_unique<Accesses>();
  return *storage.accesses;
}

// All earlier reads come before a write that was allowed.
void set_last_write(Order& all, Storage& storage, const cuda::CUDAStream& stream) {
  accesses_of(storage) = {next_access(all, stream), {}};
}

void set_read(Order& all, Storage& storage, const cuda::CUDAStream& stream) {
  const Access read = next_access(all, stream);
  std::vector<Access>& reads = accesses_of(storage).reads;
  const auto same = std::find_if(reads.begin(), reads.end(),
                                 [&](const Access& known) { return known.stream == read.stream; });
  if (same != reads.end()) {
    *same = read;
  } else {
    reads.push_back(read);
  }
}

// The host's use of memory of its own, or a stream's of a device's.
void note_use(const TensorImpl& tensor, bool writes) {
  const Device device = tensor.storage->device;
  const bool on_host = device.is_cpu();
  if (on_host && tensor.storage->accesses == nullptr) return;
  const cuda::CUDAStream stream = on_host ? cuda::CUDAStream(0, nullptr) : current_stream(device);
  const cuda::CUDAStream* const user = on_host ? nullptr : &stream;
  std::optional<Conflict> conflict;
  {
    Order& all = order();
    const std::lock_guard lock(all.mutex);
    conflict = conflict_with(all, *tensor.storage, user, writes);
    if (!conflict && !on_host) {
      (writes ? set_last_write : set_read)(all, *tensor.storage, stream);
    }
  }
  if (conflict) refuse(tensor, *conflict, user);
  if (on_host && writes) tensor.storage->accesses.reset();
}

}  // namespace

std::atomic<bool> checked{asked_for()};

void start() {
  if (is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  for (const Clock& clock : all.clocks) join(all.host, clock);
  checked = true;
}

void note_call(const char* operation, CallSite site) {
  if (site.known()) current_call = {operation, site};
}

void note_read(const TensorImpl& tensor) { note_use(tensor, false); }
void note_write(const TensorImpl& tensor) { note_use(tensor, true); }

void note_copy_to_host(Storage& host, Device from) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  set_last_write(all, host, current_stream(from));
}

void note_copy_from_host(Storage& host, Device to) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  set_read(all, host, current_stream(to));
}

Clock clock_of(const cuda::CUDAStream& stream) {
  if (!is_checked()) return {};
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  return all.clocks[all.number_of(stream)];
}

void note_wait(const cuda::CUDAStream& stream, const Clock& event) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  join(all.clocks[all.number_of(stream)], event);
}

void note_order(const cuda::CUDAStream& earlier, const cuda::CUDAStream& later) {
  note_wait(later, clock_of(earlier));
}

void note_host_wait(const Clock& event) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  join(all.host, event);
}
void note_host_wait(const cuda::CUDAStream& stream) { note_host_wait(clock_of(stream)); }
void note_host_wait(Device device) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  for (size_t i = 0; i < all.streams.size(); ++i) {
    if (all.streams[i].device() == device) join(all.host, all.clocks[i]);
  }
}

size_t number_on_device(const cuda::CUDAStream& stream) {
  if (stream.stream() == nullptr) return 0;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  const size_t number = all.number_of(stream);
  return 1 + static_cast<size_t>(std::count_if(
                 all.streams.begin(), all.streams.begin() + static_cast<std::ptrdiff_t>(number),
                 [&](const cuda::CUDAStream& other) {
                   return other.device() == stream.device() && other.stream() != nullptr;
                 }));
}

}  // namespace tensorlib::stream_order
