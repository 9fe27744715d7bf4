#include "xfer/trace_writer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "module_map.h"
#include "trace_file.h"
#include "trace_format.h"
#include "xfer/signal_lock.h"
#include "xfer/stack.h"

namespace xfer {
namespace {

using format::BlockHeader;
using format::put_number;
using format::put_text;

constexpr std::size_t kMaxNumberBytes = 10;
constexpr std::size_t kMaxStackBytes = (3 + 2 * kMaxStackDepth) * kMaxNumberBytes;

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string working_directory() {
  char path[4096];
  return getcwd(path, sizeof(path)) != nullptr ? path : "";
}

std::uint64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::vector<std::uintptr_t> key_of(std::span<const std::uintptr_t> return_addresses,
                                   std::span<const PythonFrameRef> python) {
  std::vector<std::uintptr_t> key;
  key.reserve(return_addresses.size() + 1 + python.size());
  key.assign(return_addresses.begin(), return_addresses.end());
  if (!python.empty()) key.push_back(0);
  for (const PythonFrameRef& call : python)
    key.push_back(std::uintptr_t{call.frame} << 1 | (call.entered ? 1 : 0));
  return key;
}

struct HashOfStack {
  std::size_t operator()(const std::vector<std::uintptr_t>& stack) const {
    return XXH3_64bits(stack.data(), stack.size() * sizeof(std::uintptr_t));
  }
};

}  // namespace

// Shared with the flushing thread, which may outlive the writer by one tick.
struct TraceWriter::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<bool> off{false};  // closed, given up, or in a forked child
  std::atomic<std::uint64_t> dropped{0};
  std::atomic<int> error{0};
  std::atomic<bool> dirty{false};

  TraceWriterOptions options;
  TraceFile file;
  std::uint64_t sequence = 0;
  std::uint64_t events_in_block = 0;
  std::uint64_t dropped_in_file = 0;
  std::uint64_t device_times_left_out = 0;
  std::uint64_t stacks_cut = 0;
  std::uint64_t stacks_left_out = 0;
  std::string definitions;  // each string starts with room for a BlockHeader
  std::string events;
  std::string compressed;
  format::EventCoder coder;
  ZSTD_CCtx* compressor = nullptr;

  std::unordered_map<std::string, std::uint32_t> strings;
  std::unordered_map<std::string, std::uint32_t> python_frames;  // by record
  // By return addresses; Python calls, as they are recorded, stand behind a 0.
  std::unordered_map<std::vector<std::uintptr_t>, std::uint32_t, HashOfStack> stacks;
  std::uint32_t last_stack = 0;
  ModuleMap modules;
  std::uint64_t generation = 0;

  const pid_t process = getpid();

  ~State() { ZSTD_freeCCtx(compressor); }

  bool open(const char* path);
  void put_metadata(std::string_view key, std::string_view value);
  void put_event(const Event& event);
  void put_detail_lost();
  bool is_detail(const Event& event) const;
  void put_gap();
  void put_stack(std::uint32_t id, std::span<const std::uintptr_t> return_addresses,
                 std::span<const PythonFrameRef> python);
  void keep_room();
  bool write_block();
  bool write_plain();
  bool append(std::string& framed, format::Codec codec, std::size_t raw_bytes);
  void note_error(int value) noexcept {
    int none = 0;
    error.compare_exchange_strong(none, value);
  }
  void lose_events(std::uint64_t count) noexcept {
    dropped.fetch_add(count, std::memory_order_relaxed);
  }
};

namespace {

// Every open writer, so that a forked child can switch them off without a lock.
constexpr std::size_t kMaxWriters = 16;
std::array<std::atomic<std::atomic<bool>*>, kMaxWriters> off_switches{};

void switch_off_in_child() {
  for (auto& entry : off_switches)
    if (std::atomic<bool>* off = entry.load()) off->store(true);
}

bool watch_forks(std::atomic<bool>* off) {
  static const bool registered = pthread_atfork(nullptr, nullptr, switch_off_in_child) == 0;
  if (!registered) return false;
  for (auto& entry : off_switches) {
    std::atomic<bool>* none = nullptr;
    if (entry.compare_exchange_strong(none, off)) return true;
  }
  errno = EMFILE;
  return false;
}

void unwatch_forks(std::atomic<bool>* off) {
  for (auto& entry : off_switches) {
    std::atomic<bool>* expected = off;
    entry.compare_exchange_strong(expected, nullptr);
  }
}

}  // namespace

bool TraceWriter::State::open(const char* path) {
  if (!file.open(path)) return false;
  format::FileHeader header{};
  std::copy(std::begin(format::kMagic), std::end(format::kMagic), header.magic);
  header.version = format::kVersion;
  header.header_bytes = sizeof(header);
  if (!file.append(&header, sizeof(header))) {
    const int error = errno;
    unlink(path);  // an empty file would be taken for a trace
    errno = error;
    return false;
  }

  options.block_bytes =
      std::clamp<std::size_t>(options.block_bytes, 4096, format::kMaxBlockBytes / 4);
  compressor = ZSTD_createCCtx();
  if (compressor == nullptr) {
    errno = ENOMEM;
    return false;
  }
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, options.compression_level);
  events.reserve(sizeof(BlockHeader) + options.block_bytes + 4 * format::kMaxEventBytes);
  events.assign(sizeof(BlockHeader), '\0');

  put_metadata("command_line", read_file("/proc/self/cmdline"));  // each argument ends with NUL
  put_metadata("working_directory", working_directory());
  put_metadata("process_id", std::to_string(getpid()));
  put_metadata("start_time_ns", std::to_string(clock_ns(CLOCK_REALTIME)));
  put_metadata("start_monotonic_ns", std::to_string(clock_ns(CLOCK_MONOTONIC)));
  return write_block();
}

void TraceWriter::State::put_metadata(std::string_view key, std::string_view value) {
  definitions += static_cast<char>(format::kMetadata);
  put_text(definitions, key);
  put_text(definitions, value);
  keep_room();
}

// After new definitions: in a signal handler a stack may follow them and a header come in front of
// them, without allocating.
void TraceWriter::State::keep_room() {
  dirty.store(true, std::memory_order_relaxed);
  if (definitions.capacity() - definitions.size() < sizeof(BlockHeader) + kMaxStackBytes)
    definitions.reserve(2 * definitions.size() + 4096);
}

void TraceWriter::State::put_stack(std::uint32_t id,
                                   std::span<const std::uintptr_t> return_addresses,
                                   std::span<const PythonFrameRef> python) {
  definitions += static_cast<char>(python.empty() ? format::kStack : format::kPythonStack);
  put_number(definitions, id);
  put_number(definitions, return_addresses.size());
  for (const std::uintptr_t address : return_addresses) {
    // A return address behind a call that never returns may be the next module's first byte.
    const LoadedModule* module = modules.find(address - 1);
    put_number(definitions, module != nullptr ? module->id : 0);
    put_number(definitions, module != nullptr ? address - module->bias : address);
  }
  if (!python.empty()) put_number(definitions, python.size());
  for (const PythonFrameRef& call : python)
    put_number(definitions, std::uint64_t{call.frame} << 1 | (call.entered ? 1 : 0));
}

// Says in the file how many events were lost since it was last said.
void TraceWriter::State::put_gap() {
  const std::uint64_t lost = dropped.load(std::memory_order_relaxed);
  if (lost == dropped_in_file) return;
  Event gap;
  gap.kind = EventKind::kDropped;
  gap.bytes = lost - dropped_in_file;
  coder.put(events, gap);
  dropped_in_file = lost;
}

// Events that may go first when the file grows too big: the device's time of a call, which only
// adds to the call's cost.
bool TraceWriter::State::is_detail(const Event& event) const {
  return event.kind == EventKind::kDeviceTime && options.max_file_bytes != 0 &&
         file.size() + events.size() / 4 > options.max_file_bytes / 4 * 3;
}

void TraceWriter::State::put_detail_lost() {
  const std::pair<const char*, std::uint64_t> lost[] = {
      {"detail.device_times", device_times_left_out},
      {"detail.cut_stacks", stacks_cut},
      {"detail.stacks", stacks_left_out}};
  for (const auto& [key, count] : lost)
    if (count != 0) put_metadata(key, std::to_string(count));
}

void TraceWriter::State::put_event(const Event& event) {
  if (is_detail(event)) {
    ++device_times_left_out;
    return;
  }
  if (events_in_block == 0) put_gap();
  coder.put(events, event);
  ++events_in_block;
  if (!dirty.load(std::memory_order_relaxed)) dirty.store(true, std::memory_order_relaxed);
  if (events.size() >= options.block_bytes) write_block();
}

// `framed` holds room for a header, then the stored bytes.
bool TraceWriter::State::append(std::string& framed, format::Codec codec, std::size_t raw_bytes) {
  BlockHeader header{};
  header.magic = format::kBlockMagic;
  header.stored_bytes = static_cast<std::uint32_t>(framed.size() - sizeof(header));
  header.raw_bytes = static_cast<std::uint32_t>(raw_bytes);
  header.codec = codec;
  header.sequence = sequence;
  header.checksum = XXH3_64bits_withSeed(framed.data() + sizeof(header), header.stored_bytes,
                                         format::header_seed(header));
  std::memcpy(framed.data(), &header, sizeof(header));
  if (options.max_file_bytes != 0 && file.size() + framed.size() > options.max_file_bytes) {
    errno = EFBIG;
    return false;
  }
  if (!file.append(framed.data(), framed.size())) return false;
  ++sequence;
  return true;
}

bool TraceWriter::State::write_block() {
  dirty.store(false, std::memory_order_relaxed);
  const std::size_t event_bytes = events.size() - sizeof(BlockHeader);
  if (definitions.empty() && event_bytes == 0) return true;
  bool written = false;
  try {
    // One plain string of definitions and events, behind room for the header.
    const std::string* plain = &events;
    std::string joined;
    if (!definitions.empty()) {
      joined.reserve(events.size() + definitions.size());
      joined.assign(sizeof(BlockHeader), '\0');
      joined += definitions;
      joined.append(events, sizeof(BlockHeader), event_bytes);
      plain = &joined;
    }
    const std::size_t raw_bytes = plain->size() - sizeof(BlockHeader);
    compressed.resize(sizeof(BlockHeader) + ZSTD_compressBound(raw_bytes));
    const std::size_t size = ZSTD_compress2(compressor, compressed.data() + sizeof(BlockHeader),
                                            compressed.size() - sizeof(BlockHeader),
                                            plain->data() + sizeof(BlockHeader), raw_bytes);
    if (ZSTD_isError(size)) {
      errno = ENOMEM;
    } else {
      compressed.resize(sizeof(BlockHeader) + size);
      written = append(compressed, format::kZstd, raw_bytes);
    }
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
  }
  if (written) {
    definitions.clear();
  } else {
    // Definitions are kept for a later try: events to come refer to them.
    note_error(errno);
    lose_events(events_in_block);
  }
  events.resize(sizeof(BlockHeader));
  events_in_block = 0;
  coder = {};
  return written;
}

TraceWriter::TraceWriter(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

std::unique_ptr<TraceWriter> TraceWriter::open(const char* path,
                                               const TraceWriterOptions& options) noexcept try {
  auto state = std::make_shared<State>();
  state->options = options;
  if (!state->open(path) || !watch_forks(&state->off)) return nullptr;
  std::unique_ptr<TraceWriter> writer(new TraceWriter(state));
  if (options.flush_interval_ms != 0) {
    // A thread of its own, deaf to signals. Never joined: it may not be there any more (fork), or
    // the loader's lock may be held (exit).
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([state] {
        pthread_setname_np(pthread_self(), "xfer-trace");
        const std::chrono::milliseconds interval(state->options.flush_interval_ms);
        std::unique_lock lock(state->mutex);
        while (!state->off.load()) {
          state->wake.wait_for(lock, interval);
          if (!state->off.load() && state->dirty.load()) state->write_block();
        }
      }).detach();
    } catch (...) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  return writer;
} catch (...) {
  errno = ENOMEM;
  return nullptr;
}

TraceWriter::~TraceWriter() {
  close();
  unwatch_forks(&state_->off);
  // In a forked child the mutex may be held for ever, and destroying it would be undefined.
  if (state_->process != getpid()) static_cast<void>(new std::shared_ptr<State>(state_));
}

void TraceWriter::add(const Event& event) noexcept {
  State& state = *state_;
  if (state.off.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(state.mutex);
  try {
    state.put_event(event);
  } catch (...) {
    state.note_error(ENOMEM);
    state.lose_events(1);
  }
}

std::uint32_t TraceWriter::intern_string(std::string_view text) noexcept try {
  State& state = *state_;
  if (text.empty() || state.off.load(std::memory_order_relaxed)) return 0;
  const std::lock_guard lock(state.mutex);
  const auto [entry, is_new] = state.strings.try_emplace(
      std::string(text), static_cast<std::uint32_t>(state.strings.size() + 1));
  if (is_new) {
    state.definitions += static_cast<char>(format::kString);
    put_number(state.definitions, entry->second);
    put_text(state.definitions, text);
    state.keep_room();
  }
  return entry->second;
} catch (...) {
  return 0;
}

std::uint32_t TraceWriter::intern_python_frame(std::string_view function, std::string_view file,
                                               unsigned line) noexcept try {
  State& state = *state_;
  if (state.off.load(std::memory_order_relaxed)) return 0;
  std::string record;
  put_text(record, function);
  put_text(record, file);
  put_number(record, line);
  const std::lock_guard lock(state.mutex);
  const auto [entry, is_new] = state.python_frames.try_emplace(
      std::move(record), static_cast<std::uint32_t>(state.python_frames.size() + 1));
  if (is_new) {
    state.definitions += static_cast<char>(format::kPythonFrame);
    put_number(state.definitions, entry->second);
    state.definitions += entry->first;
    state.keep_room();
  }
  return entry->second;
} catch (...) {
  return 0;
}

std::uint32_t TraceWriter::intern_stack(std::span<const std::uintptr_t> return_addresses,
                                        std::span<const PythonFrameRef> python) noexcept try {
  State& state = *state_;
  if ((return_addresses.empty() && python.empty()) || state.off.load(std::memory_order_relaxed))
    return 0;
  std::vector<std::uintptr_t> stack = key_of(return_addresses, python);
  {
    const std::lock_guard lock(state.mutex);
    auto found = state.stacks.find(stack);
    if (found != state.stacks.end()) return found->second;
    if (state.stacks.size() >= state.options.max_stacks) {
      constexpr std::size_t kInner = 4;
      return_addresses = return_addresses.first(std::min(kInner, return_addresses.size()));
      python = python.first(std::min(kInner, python.size()));
      stack = key_of(return_addresses, python);
      found = state.stacks.find(stack);
      const bool has_room = state.stacks.size() < 2 * state.options.max_stacks;
      ++(found != state.stacks.end() || has_room ? state.stacks_cut : state.stacks_left_out);
      if (found != state.stacks.end()) return found->second;
      if (!has_room) return 0;
    }
  }
  // The loader's lock is taken here, with ours free: a library's constructor may call CUDA.
  const std::uint64_t generation = module_generation();
  std::vector<LoadedModule> modules;
  bool refresh = false;
  {
    const std::lock_guard lock(state.mutex);
    refresh = state.generation != generation;
  }
  if (refresh) modules = loaded_modules();

  const std::lock_guard lock(state.mutex);
  if (refresh && state.generation != generation) {
    std::vector<LoadedModule> added;
    state.modules.refresh(std::move(modules), added);
    state.generation = generation;
    for (const LoadedModule& module : added) {
      state.definitions += static_cast<char>(format::kModule);
      put_number(state.definitions, module.id);
      put_text(state.definitions, module.path);
      put_text(state.definitions, module.build_id);
      put_number(state.definitions, module.bias);
    }
  }
  const auto [entry, is_new] = state.stacks.try_emplace(std::move(stack), state.last_stack + 1);
  if (is_new) {
    ++state.last_stack;
    state.put_stack(entry->second, return_addresses, python);
    state.keep_room();
  }
  return entry->second;
} catch (...) {
  return 0;
}

void TraceWriter::set_metadata(std::string_view key, std::string_view value) noexcept try {
  if (state_->off.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(state_->mutex);
  state_->put_metadata(key, value);
} catch (...) {
}

bool TraceWriter::flush() noexcept {
  if (state_->off.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(state_->mutex);
  return state_->write_block();
}

// Two plain blocks instead of one packed one: joining them would need memory. The definitions have
// no room for a header in front, so theirs is made by shifting within the capacity they have.
bool TraceWriter::State::write_plain() {
  if (const std::size_t size = definitions.size(); size != 0) {
    if (definitions.capacity() < size + sizeof(BlockHeader)) return false;
    definitions.insert(0, sizeof(BlockHeader), '\0');
    const bool written = append(definitions, format::kPlain, size);
    if (!written) note_error(errno);
    definitions.erase(0, sizeof(BlockHeader));
    if (!written) return false;
    definitions.clear();
  }
  const std::size_t event_bytes = events.size() - sizeof(BlockHeader);
  const bool written = event_bytes == 0 || append(events, format::kPlain, event_bytes);
  if (!written) {
    note_error(errno);
    lose_events(events_in_block);
  }
  events.resize(sizeof(BlockHeader));
  events_in_block = 0;
  coder = {};
  return written;
}

bool TraceWriter::add_from_signal(const Event& event,
                                  std::span<const std::uintptr_t> return_addresses,
                                  std::span<const PythonFrameRef> python) noexcept try {
  State& state = *state_;
  if (state.off.load(std::memory_order_relaxed)) return false;
  const std::unique_lock lock = lock_from_signal(state.mutex);
  if (!lock.owns_lock()) return false;
  const auto room = [](const std::string& text) { return text.capacity() - text.size(); };
  if (room(state.events) < 2 * format::kMaxEventBytes ||
      room(state.definitions) < sizeof(BlockHeader) + kMaxStackBytes)
    state.write_plain();
  if (room(state.events) < 2 * format::kMaxEventBytes) return false;
  Event placed = event;
  if (!return_addresses.empty() && return_addresses.size() <= kMaxStackDepth &&
      python.size() <= kMaxStackDepth &&
      room(state.definitions) >= sizeof(BlockHeader) + kMaxStackBytes) {
    placed.site = ++state.last_stack;
    state.put_stack(placed.site, return_addresses, python);
  }
  if (state.events_in_block == 0) state.put_gap();
  state.coder.put(state.events, placed);
  ++state.events_in_block;
  state.dirty.store(true, std::memory_order_relaxed);
  return true;
} catch (...) {
  return false;
}

bool TraceWriter::flush_from_signal(bool last) noexcept try {
  State& state = *state_;
  if (state.off.load(std::memory_order_relaxed)) return false;
  const std::unique_lock lock = lock_from_signal(state.mutex);
  if (!lock.owns_lock()) return false;
  if (last) state.off.store(true);
  return state.write_plain();
} catch (...) {
  return false;
}

void TraceWriter::close() noexcept {
  State& state = *state_;
  if (state.off.load()) return;
  {
    const std::lock_guard lock(state.mutex);
    if (state.off.exchange(true)) return;
    state.write_block();
    try {
      state.put_detail_lost();
      state.put_gap();
      state.events += static_cast<char>(format::kEnd);
    } catch (...) {
    }
    state.write_block();
    state.file.close();
  }
  state.wake.notify_all();
}

void TraceWriter::abandon() noexcept { state_->off.store(true); }

std::uint64_t TraceWriter::dropped() const noexcept { return state_->dropped.load(); }

int TraceWriter::error() const noexcept { return state_->error.load(); }

}  // namespace xfer
