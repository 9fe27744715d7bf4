// Cost of the runtime: in the traced process (add an event, hash, capture a stack) and
// afterwards (read the trace, run the engine, build the report). Wall time, one thread; no
// competitor measures these parts alone, so the bars of the design stand beside them.

#include "xfer/engine.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "xfer/content_hash.h"
#include "xfer/report_builder.h"
#include "xfer/stack.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace {

using namespace xfer;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double seconds(const std::function<void()>& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void line(const char* what, double value, const char* unit, const char* bar) {
  std::printf("%-46s %12.1f %-10s %s\n", what, value, unit, bar);
  std::fflush(stdout);
}

/// A training loop: each step uploads a batch, launches kernels over 64 buffers, waits, downloads a
/// loss; now and then something is sent again.
class Program {
 public:
  template <class Sink>
  void run(std::uint64_t events, Sink sink) {
    std::uint64_t made = 0;
    std::uint64_t now = 1'000'000'000;
    std::uint64_t correlation = 0;
    const auto emit = [&](Event event) {
      event.begin_ns = now;
      event.end_ns = now + 900;
      now += 1500;
      sink(event);
      ++made;
    };
    for (std::uint64_t i = 0; i < kBuffers; ++i) {
      Event event;
      event.kind = EventKind::kAlloc;
      event.space = Space::kDevice;
      event.address = address(i);
      event.bytes = kBytes;
      emit(event);
    }
    for (std::uint64_t step = 0; made < events; ++step) {
      Event copy;
      copy.kind = EventKind::kCopy;
      copy.space = Space::kDevice;
      copy.source_space = Space::kPageable;
      copy.address = address(step % 4);
      copy.source = 0x500000 + step % 4 * kBytes;
      copy.bytes = kBytes;
      copy.flags = kHashed;
      copy.hash_lo = step % 8 == 0 ? 1 : step * 0x9e3779b97f4a7c15ull;
      copy.hash_hi = ~copy.hash_lo;
      copy.correlation = ++correlation;
      copy.site = static_cast<std::uint32_t>(1 + step % 4);
      emit(copy);
      Event time;
      time.kind = EventKind::kDeviceTime;
      time.correlation = copy.correlation;
      emit(time);
      for (std::uint64_t kernel = 0; kernel < 6; ++kernel) {
        Event launch;
        launch.kind = EventKind::kLaunch;
        launch.correlation = ++correlation;
        launch.name = static_cast<std::uint32_t>(1 + kernel);
        launch.site = static_cast<std::uint32_t>(10 + kernel);
        Event argument = launch;
        argument.kind = EventKind::kLaunchArg;
        argument.address = address((step * 7 + kernel) % kBuffers);
        argument.flags = kReads;
        emit(argument);
        argument.address = address(4 + (step * 5 + kernel) % (kBuffers - 4));
        argument.flags = kReads | kWrites;
        emit(argument);
        emit(launch);
      }
      Event sync;
      sync.kind = EventKind::kSync;
      sync.sync = SyncScope::kDevice;
      emit(sync);
    }
  }

 private:
  static constexpr std::uint64_t kBuffers = 64;
  static constexpr std::uint64_t kBytes = 1 << 20;
  static std::uint64_t address(std::uint64_t buffer) {
    return 0x7f0000000000 + buffer * 2 * kBytes;
  }
};

/// Each step has a stream of its own, or a copy from pinned memory that the host never waits for,
/// with a kernel on another stream in order after it.
std::vector<Event> streams_program(std::uint64_t steps, bool own_streams) {
  std::vector<Event> events;
  const auto emit = [&](EventKind kind, std::uint64_t stream) -> Event& {
    Event event;
    event.kind = kind;
    event.stream = stream;
    event.correlation = event.begin_ns = event.end_ns = events.size() + 1;
    events.push_back(event);
    return events.back();
  };
  constexpr std::uint64_t kBuffer = 0x7f0000000000;
  constexpr std::uint64_t kBytes = 1 << 20;
  for (std::uint64_t i = 0; i < 8; ++i) {
    Event& event = emit(EventKind::kAlloc, 0);
    event.space = Space::kDevice;
    event.address = kBuffer + i * kBytes;
    event.bytes = kBytes;
  }
  if (!own_streams)
    for (const std::uint64_t stream : {100, 101})
      emit(EventKind::kStreamCreate, stream).flags = kAsync;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t stream = own_streams ? 1000 + step : 100;
    if (own_streams) emit(EventKind::kStreamCreate, stream).flags = kAsync;
    Event& copy = emit(EventKind::kCopy, stream);
    copy.flags = kAsync;
    copy.space = Space::kDevice;
    copy.source_space = Space::kPinned;
    copy.address = kBuffer + step % 8 * kBytes;
    copy.source = 0x500000 + step % 8 * kBytes;
    copy.bytes = kBytes;
    copy.source_device = -1;
    emit(EventKind::kEventRecord, stream).event_id = 1;
    emit(EventKind::kStreamWait, 101).event_id = 1;
    const std::uint64_t correlation = events.size() + 2;
    Event& argument = emit(EventKind::kLaunchArg, 101);
    argument.correlation = correlation;
    argument.address = kBuffer + step % 8 * kBytes;
    argument.flags = kReads;
    emit(EventKind::kLaunch, 101).flags = kArgumentsOnly;
    if (!own_streams) continue;
    emit(EventKind::kSync, stream).sync = SyncScope::kDevice;
    emit(EventKind::kStreamDestroy, stream);
  }
  return events;
}

void bench_streams(const char* what, bool own_streams) {
  for (const std::uint64_t steps : {10'000, 100'000}) {
    const std::vector<Event> events = streams_program(steps, own_streams);
    const double taken = seconds([&] {
      Engine engine;
      for (const Event& event : events) engine.add(event);
      engine.finish();
    });
    line((what + std::to_string(steps) + " steps").c_str(),
         taken / static_cast<double>(events.size()) * 1e9, "ns/event", "");
  }
}

[[gnu::noinline]] std::size_t capture_deep(int depth, std::span<std::uintptr_t> out) {
  const std::size_t count = depth == 0 ? capture_stack(out) : capture_deep(depth - 1, out);
  asm volatile("" ::: "memory");
  return count;
}

void bench_capture(const char* what) {
  std::vector<std::uintptr_t> frames(kMaxStackDepth);
  constexpr int kTimes = 200'000;
  const double taken = seconds([&] {
    for (int i = 0; i < kTimes; ++i) capture_deep(16, frames);
  });
  line(what, taken / kTimes * 1e9, "ns", "");
}

void write_trace(const std::filesystem::path& path, std::uint64_t events) {
  const auto writer = TraceWriter::open(path.c_str());
  if (writer == nullptr) {
    std::perror(path.c_str());
    std::exit(1);
  }
  Program().run(events, [&](const Event& event) { writer->add(event); });
  writer->close();
}

// The time must grow as the events do.
void bench_reports(const std::filesystem::path& path, std::uint64_t most) {
  for (std::uint64_t events = 10'000; events <= most; events *= 10) {
    write_trace(path, events);
    std::size_t findings = 0;
    const double taken = seconds([&] {
      TraceReader trace(path);
      findings = build_report(trace).findings.size();
    });
    const std::string what = "report of " + std::to_string(events) + " events";
    line(what.c_str(), taken * 1e3, "ms", events == 10'000'000 ? "bar: <= 10000" : "");
    line("  events a second", static_cast<double>(events) / taken / 1e6, "million", "");
    if (findings == 0) std::puts("  there should be findings in it");
  }
  line("peak memory", peak_mib(), "MiB", "bar: <= 1024");
}

// Each reads the same 256 MiB; memcpy writes them too.
void bench_hashing() {
  const std::vector<char> data(std::size_t{256} << 20, 'x');
  std::vector<char> copy(data.size());
  const auto rate = [&](const std::function<void()>& work) {
    work();
    double best = 0;
    for (int i = 0; i < 4; ++i)
      best = std::max(best, static_cast<double>(data.size()) / seconds(work) / 1e9);
    return best;
  };
  line("hashing", rate([&] { content_hash(data.data(), data.size()); }), "GB/s", "bar: >= 8");
  line("hashing and searching for addresses",
       rate([&] { content_hash_and_search(data.data(), data.size(), {1, 1}); }), "GB/s",
       "bar: >= 8");
  line("memcpy", rate([&] { std::memcpy(copy.data(), data.data(), data.size()); }), "GB/s", "");
  constexpr int kTimes = 100'000;
  std::uint64_t sum = 0;
  const double sampling = seconds([&] {
    for (int i = 0; i < kTimes; ++i)
      sum += content_sample(data.data() + i * 64, std::size_t{128} << 20);
  });
  line("sample of a large copy", sampling / kTimes * 1e9, "ns", sum == 0 ? "?" : "");
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::filesystem::path path = argc > 2 ? argv[2] : "engine_bench.xft";

  bench_capture("stack of 20 frames, libgcc's unwinder");
  prepare_stack_capture();
  bench_capture("stack of 20 frames, libunwind");

  auto writer = TraceWriter::open(path.c_str());
  if (writer == nullptr) {
    std::perror(path.c_str());
    return 1;
  }
  std::vector<std::uintptr_t> frames(kMaxStackDepth);
  frames.resize(capture_deep(16, frames));
  const double interning = seconds([&] {
    for (int i = 0; i < 1'000'000; ++i) writer->intern_stack(frames);
  });
  line("find an interned stack", interning / 1e6 * 1e9, "ns", "");
  const double writing = seconds([&] {
    Program().run(events, [&](const Event& event) { writer->add(event); });
    writer->close();
  });
  const double count = static_cast<double>(events);
  line("write an event (encode, compress, append)", writing / count * 1e9, "ns", "bar: <= 1000");
  line("  events a second", count / writing / 1e6, "million", "");
  line("file", static_cast<double>(std::filesystem::file_size(path)) / count, "bytes/event",
       "bar: <= 64");

  const double engine_alone = seconds([&] {
    Engine engine;
    Program().run(events, [&](const Event& event) { engine.add(event); });
    engine.finish();
  });
  line("engine alone", engine_alone / count * 1e9, "ns/event", "");

  bench_streams("  a new stream each step, ", true);
  bench_streams("  copies never waited for, ", false);

  bench_reports(path, events);
  std::filesystem::remove(path);
  bench_hashing();
}
