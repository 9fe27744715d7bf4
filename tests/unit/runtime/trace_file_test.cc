// The writer and the reader together, and the writer's behaviour where its host fails it.

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "random_event.h"
#include "temp_file.h"
#include "xfer/stack.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Event> read_all(TraceReader& reader) {
  std::vector<Event> events;
  for (Event event; reader.next(event);) events.push_back(event);
  return events;
}

TraceWriterOptions without_thread(std::size_t block_bytes = 4096) {
  TraceWriterOptions options;
  options.block_bytes = block_bytes;
  options.flush_interval_ms = 0;
  return options;
}

TEST(TraceFile, GivesBackWhatWasWritten) {
  const TempFile file;
  std::mt19937_64 random(3);
  std::vector<Event> events;
  std::vector<std::uintptr_t> stack(8);
  {
    auto writer = TraceWriter::open(file.path().c_str(), without_thread());
    ASSERT_NE(writer, nullptr);
    writer->set_metadata("options", "a=b");
    EXPECT_EQ(writer->intern_string(""), 0u);
    EXPECT_EQ(writer->intern_stack({}), 0u);
    stack.resize(capture_stack(stack));
    for (int i = 0; i < 5000; ++i) {
      Event event = random_event(random);
      event.name = writer->intern_string("name " + std::to_string(i % 100));
      stack.front() = stack.back() + static_cast<std::uintptr_t>(i % 50);
      event.site = writer->intern_stack(stack);
      events.push_back(event);
      writer->add(event);
    }
    EXPECT_EQ(writer->intern_string("name 7"), 8u);
    EXPECT_EQ(writer->dropped(), 0u);
  }
  TraceReader reader(file.path());
  const std::vector<Event> taken = read_all(reader);
  ASSERT_EQ(taken.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) ASSERT_TRUE(same(taken[i], events[i])) << i;
  EXPECT_TRUE(reader.complete());
  EXPECT_EQ(reader.string(events[42].name), "name 42");
  EXPECT_EQ(reader.string(4711), "");
  EXPECT_EQ(reader.stack(events[0].site).size(), stack.size());
  EXPECT_NE(reader.stack(events[0].site).front(), reader.stack(events[1].site).front());
  EXPECT_EQ(reader.metadata().at("options"), "a=b");
  EXPECT_EQ(reader.metadata().at("process_id"), std::to_string(getpid()));
  EXPECT_THAT(reader.command_line().at(0), HasSubstr("runtime_trace_test"));
}

TEST(TraceFile, RecordsModulesOfStacks) {
  const TempFile file;
  std::uint32_t site = 0;
  {
    auto writer = TraceWriter::open(file.path().c_str(), without_thread());
    std::vector<std::uintptr_t> stack(kMaxStackDepth);
    stack.resize(capture_stack(stack));
    stack.push_back(8);  // in no module
    site = writer->intern_stack(stack);
  }
  TraceReader reader(file.path());
  read_all(reader);
  const auto frames = reader.stack(site);
  ASSERT_GT(frames.size(), 2u);
  const TraceModule* module = reader.module(frames.front().module);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(std::filesystem::path(module->path).filename(), "runtime_trace_test");
  EXPECT_EQ(frames.back(), (TraceFrame{0, 8}));
}

TEST(TraceFile, RecordsPythonCallsOfStacks) {
  const TempFile file;
  std::uint32_t with = 0, other = 0, without = 0;
  std::vector<std::uintptr_t> stack(4);
  {
    auto writer = TraceWriter::open(file.path().c_str(), without_thread());
    stack.resize(capture_stack(stack));
    const std::uint32_t inner = writer->intern_python_frame("Model.step", "/p/größe.py", 70000);
    const std::uint32_t outer = writer->intern_python_frame("<module>", "<string>", 0);
    EXPECT_EQ(writer->intern_python_frame("Model.step", "/p/größe.py", 70000), inner);
    EXPECT_NE(writer->intern_python_frame("Model.step", "/p/größe.py", 70001), inner);
    const std::vector<PythonFrameRef> calls = {{inner, false}, {outer, true}};
    with = writer->intern_stack(stack, calls);
    EXPECT_EQ(writer->intern_stack(stack, calls), with);
    other = writer->intern_stack(stack, std::vector<PythonFrameRef>{{inner, true}, {outer, true}});
    without = writer->intern_stack(stack);
    EXPECT_NE(with, other);
    EXPECT_NE(with, without);
    EXPECT_NE(writer->intern_stack({}, calls), 0u);
  }
  TraceReader reader(file.path());
  read_all(reader);
  const TracePythonFrame step{"Model.step", "/p/größe.py", 70000, false};
  const TracePythonFrame module{"<module>", "<string>", 0, true};
  EXPECT_THAT(reader.python_stack(with), ElementsAre(step, module));
  EXPECT_THAT(reader.python_stack(without), IsEmpty());
  EXPECT_THAT(reader.stack(with), ElementsAreArray(reader.stack(without)));
  EXPECT_TRUE(reader.python_stack(other).at(0).entered);
}

TEST(TraceFile, IsReadableWhileTheProgramRuns) {
  const TempFile file;
  TraceWriterOptions options;
  options.flush_interval_ms = 5;
  auto writer = TraceWriter::open(file.path().c_str(), options);
  writer->add(Event{});
  std::size_t count = 0;
  for (int tries = 0; tries < 1000 && count == 0; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    TraceReader reader(file.path());
    count = read_all(reader).size();
    EXPECT_FALSE(reader.complete());
    EXPECT_THAT(reader.problems(), IsEmpty());
  }
  EXPECT_EQ(count, 1u);
}

TEST(TraceFile, ThreadsShareAWriter) {
  const TempFile file;
  constexpr int kThreads = 4;
  constexpr std::uint64_t kEvents = 5000;
  {
    TraceWriterOptions options;
    options.flush_interval_ms = 1;
    options.block_bytes = 4096;
    auto writer = TraceWriter::open(file.path().c_str(), options);
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&, thread] {
        for (std::uint64_t i = 0; i < kEvents; ++i) {
          Event event;
          event.thread = thread;
          event.correlation = i;
          event.name = writer->intern_string("n" + std::to_string(i % 300));
          writer->add(event);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  TraceReader reader(file.path());
  std::uint64_t next[kThreads] = {};
  for (Event event; reader.next(event);) {
    ASSERT_EQ(event.correlation, next[event.thread]++);  // each thread's own order is kept
    ASSERT_EQ(reader.string(event.name), "n" + std::to_string(event.correlation % 300));
  }
  for (const std::uint64_t count : next) EXPECT_EQ(count, kEvents);
  EXPECT_TRUE(reader.complete());
}

TEST(TraceFile, ForkedChildLeavesItAlone) {
  const TempFile file;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    writer->add(Event{});
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 100000; ++i) writer->add(Event{});
      writer->flush();
      writer.reset();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    writer->add(Event{});
  }
  TraceReader reader(file.path());
  EXPECT_EQ(read_all(reader).size(), 2u);
  EXPECT_TRUE(reader.complete());
}

TEST(TraceFile, SurvivesAProgramThatClosesAllDescriptors) {
  const TempFile file;
  const TempFile other;
  {
    auto writer = TraceWriter::open(file.path().c_str(), without_thread());
    writer->add(Event{});
    writer->flush();
    for (int descriptor = 3; descriptor < 1100; ++descriptor) {
      char link[64];
      char target[4096];
      snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
      const ssize_t size = readlink(link, target, sizeof(target));
      if (size < 0 || std::string(target, static_cast<std::size_t>(size)) != file.path()) continue;
      // The number is another file's now.
      const int innocent = open(other.path().c_str(), O_WRONLY);
      dup2(innocent, descriptor);
      close(innocent);
    }
    writer->add(Event{});
    EXPECT_TRUE(writer->flush());
  }
  TraceReader reader(file.path());
  EXPECT_EQ(read_all(reader).size(), 2u);
  EXPECT_EQ(other.text(), "");
}

TEST(TraceFile, FullDiskCountsWhatIsLost) {
  const TempFile file;
  const pid_t child = fork();
  if (child == 0) {
    // A file size limit, as a disk that fills up; SIGXFSZ would end the program.
    const rlimit limit{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto writer = TraceWriter::open(file.path().c_str(), without_thread());
    std::mt19937_64 random(4);
    constexpr int kEvents = 2000;
    for (int i = 0; i < kEvents; ++i) writer->add(random_event(random));
    const bool told =
        writer->error() == EFBIG && writer->dropped() > 0 && writer->dropped() < kEvents;
    writer.reset();
    _exit(told ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  TraceReader reader(file.path());
  EXPECT_GT(read_all(reader).size(), 10u);
  EXPECT_THAT(reader.problems(), IsEmpty());
  EXPECT_LE(file.text().size(), 8192u);
}

TEST(TraceFile, SizeLimitCountsWhatIsLost) {
  const TempFile file;
  TraceWriterOptions options = without_thread();
  options.max_file_bytes = 20000;
  auto writer = TraceWriter::open(file.path().c_str(), options);
  std::mt19937_64 random(5);
  constexpr std::uint64_t kEvents = 5000;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    Event event = random_event(random);
    event.kind = EventKind::kCopy;
    writer->add(event);
  }
  writer->close();
  EXPECT_EQ(writer->error(), EFBIG);
  EXPECT_LE(file.text().size(), 20000u);
  TraceReader reader(file.path());
  std::uint64_t kept = 0;
  for (const Event& event : read_all(reader)) kept += event.kind == EventKind::kCopy;
  EXPECT_GT(kept, 100u);
  EXPECT_EQ(kept + writer->dropped(), kEvents);
}

TEST(TraceFile, DetailGoesBeforeEvents) {
  const TempFile file;
  TraceWriterOptions options = without_thread();
  options.max_file_bytes = 40000;
  std::uint64_t copies = 0;
  {
    auto writer = TraceWriter::open(file.path().c_str(), options);
    std::mt19937_64 random(5);
    while (copies % 64 != 0 || std::filesystem::file_size(file.path()) < 34000) {
      Event event = random_event(random);
      event.kind = EventKind::kCopy;
      writer->add(event);
      ++copies;
      event.kind = EventKind::kDeviceTime;
      writer->add(event);
    }
    EXPECT_EQ(writer->dropped(), 0u);
  }
  TraceReader reader(file.path());
  std::uint64_t kept = 0, times = 0;
  for (const Event& event : read_all(reader)) {
    kept += event.kind == EventKind::kCopy;
    times += event.kind == EventKind::kDeviceTime;
  }
  EXPECT_EQ(kept, copies);
  EXPECT_TRUE(reader.complete());
  EXPECT_GT(times, copies / 2);
  EXPECT_LT(times, copies);
  EXPECT_EQ(reader.metadata().at("detail.device_times"), std::to_string(copies - times));
  EXPECT_FALSE(reader.metadata().contains("detail.stacks"));
}

TEST(TraceFile, StacksAreBounded) {
  const TempFile file;
  TraceWriterOptions options = without_thread();
  options.max_stacks = 100;
  constexpr std::uintptr_t kInner = 1000;
  std::uint32_t full = 0, cut = 0;
  const std::vector<PythonFrameRef> python(10, {1, true});
  {
    auto writer = TraceWriter::open(file.path().c_str(), options);
    std::uint32_t last = 0;
    for (std::uintptr_t i = 0; i < 1000; ++i) {
      std::vector<std::uintptr_t> stack(8, kInner);
      stack.back() = i + 1;  // the outermost
      last = writer->intern_stack(stack, python);
      EXPECT_NE(last, 0u);
      if (i == 0) full = last;
      if (i == 100) cut = last;
      if (i > 100) {
        EXPECT_EQ(last, cut) << "they differ where they are cut";
      }
      if (i == 500) {
        EXPECT_EQ(writer->intern_stack(std::vector<std::uintptr_t>{1}), last + 1);
      }
    }
    std::vector<std::uintptr_t> first(8, kInner);
    first.back() = 1;
    EXPECT_EQ(writer->intern_stack(first, python), full) << "known ones stay whole";
    for (std::uintptr_t i = 0; i < 200; ++i)
      last = writer->intern_stack(std::vector<std::uintptr_t>{i + 2});
    EXPECT_EQ(last, 0u);
  }
  TraceReader reader(file.path());
  read_all(reader);
  EXPECT_EQ(reader.stack(full).size(), 8u);
  EXPECT_EQ(reader.stack(cut).size(), 4u);
  EXPECT_EQ(reader.metadata().at("detail.cut_stacks"), std::to_string(900 + 1 + 98));
  EXPECT_EQ(reader.metadata().at("detail.stacks"), "102");
}

TEST(TraceFile, FatalSignalKeepsWhatWasRecorded) {
  const TempFile file;
  static TraceWriter* in_handler = nullptr;
  const pid_t child = fork();
  if (child == 0) {
    auto writer = TraceWriter::open(file.path().c_str(), without_thread(1 << 20));
    in_handler = writer.get();
    signal(SIGSEGV, [](int) { _exit(in_handler->flush_from_signal(true) ? 0 : 1); });
    for (std::uint64_t i = 0; i < 100; ++i) {
      Event event;
      event.correlation = i;
      event.name = writer->intern_string("x");
      writer->add(event);
    }
    raise(SIGSEGV);
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  TraceReader reader(file.path());
  const std::vector<Event> events = read_all(reader);
  ASSERT_EQ(events.size(), 100u);
  EXPECT_EQ(reader.string(events.back().name), "x");
  EXPECT_FALSE(reader.complete());
}

// A handler that adds to the trace, and a program that lives on.
TEST(TraceFile, AnEventFromASignalHandlerIsInTheFileAtOnce) {
  const TempFile file;
  auto writer = TraceWriter::open(file.path().c_str(), without_thread(1 << 20));
  Event event;
  event.correlation = 1;
  const std::uintptr_t here[] = {reinterpret_cast<std::uintptr_t>(&read_all) + 1};
  event.site = writer->intern_stack(here);
  writer->add(event);
  event.correlation = 2;
  EXPECT_TRUE(writer->add_from_signal(event, here));
  EXPECT_TRUE(writer->flush_from_signal(/*last=*/false));
  {
    TraceReader reader(file.path());
    const std::vector<Event> events = read_all(reader);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_NE(events[1].site, events[0].site);
    EXPECT_NE(events[1].site, 0u);
  }
  const std::uintptr_t there[] = {1, 2, 3};
  event.correlation = 3;
  event.site = writer->intern_stack(there);
  writer->add(event);
  writer->close();
  TraceReader reader(file.path());
  const std::vector<Event> events = read_all(reader);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(reader.complete());
  EXPECT_NE(events[2].site, events[1].site);
  EXPECT_EQ(reader.stack(events[2].site).size(), 3u);
}

TEST(TraceFile, KilledProgramLeavesAReadableTrace) {
  const TempFile file;
  const pid_t child = fork();
  if (child == 0) {
    TraceWriterOptions options;
    options.block_bytes = 4096;
    auto writer = TraceWriter::open(file.path().c_str(), options);
    for (std::uint64_t i = 0;; ++i) {
      Event event;
      event.correlation = i;
      writer->add(event);
    }
  }
  while (std::filesystem::file_size(file.path()) < 100'000)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  TraceReader reader(file.path());
  const std::vector<Event> events = read_all(reader);
  EXPECT_GT(events.size(), 1000u);
  for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].correlation, i);
}

TEST(TraceFile, OpenSaysWhyNot) {
  errno = 0;
  EXPECT_EQ(TraceWriter::open("/no/such/folder/t.xft"), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(TraceWriter::open("/dev/null"), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace xfer::test
