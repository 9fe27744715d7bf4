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

// A write that may still be running, and its stream.
struct Conflict {
  Write write;
  cuda::CUDAStream writer;
};

// `user` is null for the host.
std::optional<Conflict> conflict_with(Order& all, const Storage& storage,
                                      const cuda::CUDAStream* user) {
  const Write* write = storage.last_write.get();
  if (write == nullptr || entry(all.host, write->stream) >= write->time) return {};
  if (user != nullptr) {
    const size_t own = all.number_of(*user);
    if (own == write->stream || entry(all.clocks[own], write->stream) >= write->time) return {};
  }
  return Conflict{*write, all.streams[write->stream]};
}

[[noreturn]] void refuse(const TensorImpl& tensor, const Conflict& conflict,
                         const cuda::CUDAStream* user) {
  const auto& [write, writer] = conflict;
  const std::string used =
      user == nullptr ? "the host has not waited for it" : "this stream has not waited for it";
  const std::string help =
      user == nullptr
          ? "wait before this line: torch::cuda::synchronize(), or an event's synchronize()"
          : "record a torch::cuda::CUDAEvent behind the write, and block() this stream by it "
            "before this line";
  throw StreamError(
      str_cat(current_call.operation, ": ", tensor.name.empty() ? "an operand" : tensor.name,
              " was written in another stream, and ", used, "\n  ", name_of(tensor.dtype), " ",
              IntArrayRef(tensor.sizes), " on ", tensor.storage->device, "  written by ",
              write.operation, "()", line_of(write.site), " in ", writer, "\n  used here ",
              user == nullptr ? std::string("on the host") : str_cat("in ", *user),
              "\nhelp: ", help),
      current_call.site);
}

void set_last_write(Order& all, Storage& storage, const cuda::CUDAStream& stream) {
  const size_t number = all.number_of(stream);
  Clock& clock = all.clocks[number];
  if (clock.size() <= number) clock.resize(number + 1);
  storage.last_write.reset(
      new Write{number, ++clock[number], current_call.operation, current_call.site});
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

void note_read(const TensorImpl& tensor) {
  const Device device = tensor.storage->device;
  const bool on_host = device.is_cpu();
  if (on_host && tensor.storage->last_write == nullptr) return;
  const cuda::CUDAStream stream = on_host ? cuda::CUDAStream(0, nullptr) : current_stream(device);
  const cuda::CUDAStream* const user = on_host ? nullptr : &stream;
  std::optional<Conflict> conflict;
  {
    Order& all = order();
    const std::lock_guard lock(all.mutex);
    conflict = conflict_with(all, *tensor.storage, user);
  }
  if (conflict) refuse(tensor, *conflict, user);
}

void note_write(const TensorImpl& tensor) {
  note_read(tensor);
  const Device device = tensor.storage->device;
  if (device.is_cpu()) {
    tensor.storage->last_write.reset();
    return;
  }
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  set_last_write(all, *tensor.storage, current_stream(device));
}

void note_copy_to_host(Storage& host, Device from) {
  if (!is_checked()) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  set_last_write(all, host, current_stream(from));
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
