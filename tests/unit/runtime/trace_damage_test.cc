// Files that are cut anywhere, damaged anywhere, or no traces.

#include <gmock/gmock.h>

#include <sstream>

#include "random_event.h"
#include "temp_file.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t kEvents = 160;

std::string some_trace() {
  const TempFile file;
  TraceWriterOptions options;
  options.flush_interval_ms = 0;
  {
    auto writer = TraceWriter::open(file.path().c_str(), options);
    std::mt19937_64 random(6);
    for (std::uint64_t i = 0; i < kEvents; ++i) {
      Event event = random_event(random);
      event.kind = EventKind::kCopy;
      event.correlation = i;
      event.name = writer->intern_string("n" + std::to_string(i));
      const std::uintptr_t address = 4096 + i;
      const PythonFrameRef call{writer->intern_python_frame("f", "f.py", static_cast<unsigned>(i)),
                                true};
      event.site = writer->intern_stack({&address, 1}, {&call, 1});
      writer->add(event);
      if (i % 16 == 15) writer->flush();
    }
  }
  return file.text();
}

struct Result {
  std::vector<Event> events;
  bool complete;
  std::vector<std::string> problems;
};

Result read(const std::string& bytes) {
  TraceReader reader(std::make_unique<std::istringstream>(bytes), "t.xft");
  Result result{};
  for (Event event; reader.next(event);) result.events.push_back(event);
  result.complete = reader.complete();
  result.problems = reader.problems();
  return result;
}

std::string why_not(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "";
}

TEST(TraceDamage, CutAnywhereItIsReadableUpToThere) {
  const std::string whole = some_trace();
  ASSERT_EQ(read(whole).events.size(), kEvents);
  ASSERT_TRUE(read(whole).complete);
  std::size_t before = 0;
  for (std::size_t cut = 16; cut < whole.size(); ++cut) {
    const Result result = read(whole.substr(0, cut));
    ASSERT_FALSE(result.complete) << cut;
    std::size_t copies = 0;
    for (const Event& event : result.events) {
      if (event.kind == EventKind::kDropped) continue;
      ASSERT_EQ(event.correlation, copies++) << cut;
    }
    ASSERT_GE(copies, before) << cut;  // a longer file never gives less
    before = copies;
  }
  EXPECT_EQ(before, kEvents);
}

TEST(TraceDamage, OneWrongByteCostsOneBlock) {
  const std::string whole = some_trace();
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    const std::size_t at = 16 + random() % (bytes.size() - 16);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
    const Result result = read(bytes);
    ASSERT_FALSE(result.complete);
    ASSERT_THAT(result.problems, Not(IsEmpty()));
    std::size_t copies = 0;
    std::uint64_t last = 0;
    bool gap = false;
    for (const Event& event : result.events) {
      if (event.kind == EventKind::kDropped) {
        gap = true;
        continue;
      }
      // Nothing is missing where no gap is told.
      const bool follows = event.correlation == last + 1;
      ASSERT_TRUE(copies == 0 || gap || follows) << at;
      gap = false;
      last = event.correlation;
      ++copies;
    }
    ASSERT_GE(copies, kEvents - 16) << at;
  }
}

TEST(TraceDamage, NoiseIsRefusedOrSkipped) {
  std::mt19937_64 random(8);
  const std::string whole = some_trace();
  for (int i = 0; i < 500; ++i) {
    std::string noise(random() % 5000, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    EXPECT_NE(why_not(noise), "");
    read(whole.substr(0, 16) + noise);
  }
}

// Of the time before Python's calls were recorded; the rest was the same.
TEST(TraceDamage, OlderTracesAreRead) {
  std::string older = some_trace();
  older[8] = 1;
  EXPECT_EQ(why_not(older), "");
}

TEST(TraceDamage, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(why_not(""), HasSubstr("t.xft is empty"));
  EXPECT_THAT(why_not("hello"), HasSubstr("t.xft is not a trace file"));
  std::string other = some_trace();
  other[8] = 9;
  EXPECT_THAT(why_not(other), HasSubstr("version 9, but this xfertrace reads versions 1 to 7"));
  other[8] = 0;
  EXPECT_THAT(why_not(other), HasSubstr("version 0, but"));
  EXPECT_THROW(TraceReader("/no/such/file.xft"), TraceError);
  EXPECT_THROW(TraceReader("/tmp"), TraceError);
}

}  // namespace
}  // namespace xfer::test
