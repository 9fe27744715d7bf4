// What the runtime costs: in the traced process (add an event, hash, capture a stack) and
// afterwards (read the trace, run the engine, build the report). Wall time, one thread; no
// competitor measures these parts alone, so the bars of the design stand beside them.

#include "xfer/engine.h"

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
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

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::filesystem::path path = argc > 2 ? argv[2] : "engine_bench.xft";

  const std::vector<char> data(std::size_t{256} << 20, 'x');
  content_hash(data.data(), data.size());
  const double hashing = seconds([&] {
    for (int i = 0; i < 4; ++i) content_hash(data.data(), data.size());
  });
  line("hashing", 4 * static_cast<double>(data.size()) / hashing / 1e9, "GB/s", "bar: >= 8");

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
  line("file", static_cast<double>(std::filesystem::file_size(path)) / count, "bytes/event",
       "bar: <= 64");

  const double engine_alone = seconds([&] {
    Engine engine;
    Program().run(events, [&](const Event& event) { engine.add(event); });
    engine.finish();
  });
  line("engine alone", engine_alone / count * 1e9, "ns/event", "");

  Report report;
  const double reporting = seconds([&] {
    TraceReader trace(path);
    report = build_report(trace);
  });
  line("report of the whole trace", reporting / count * 1e7, "s per 10 million", "bar: <= 10");
  line("findings in it", static_cast<double>(report.findings.size()), "", "");
  line("peak memory", peak_mib(), "MiB", "bar: <= 1024 (256 are the hashed buffer)");
  std::filesystem::remove(path);
}
