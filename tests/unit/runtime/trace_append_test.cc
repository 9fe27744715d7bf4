// Records that are added to a trace after its process has ended.

#include "xfer/trace_append.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temp_file.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

namespace fs = std::filesystem;

void write_trace(const TempFile& file, int events) {
  const auto writer = TraceWriter::open(file.path().c_str());
  writer->set_metadata("key", "before");
  Event event;
  event.kind = EventKind::kSync;
  for (int i = 0; i < events; ++i) writer->add(event);
}

/// How many events it has, gaps among them.
int read_all(TraceReader& trace) {
  int events = 0;
  for (Event event; trace.next(event);) ++events;
  return events;
}

std::string value(const TraceReader& trace, const char* key) {
  const auto found = trace.metadata().find(key);
  return found == trace.metadata().end() ? "(none)" : found->second;
}

TEST(TraceAppend, ToAWholeTrace) {
  const TempFile file;
  write_trace(file, 3);
  ASSERT_TRUE(append_metadata(file.path(), {{"signal", "11"}, {"key", "after"}}));
  ASSERT_TRUE(append_metadata(file.path(), {{"more", "x"}}));
  TraceReader trace(file.path());
  EXPECT_EQ(read_all(trace), 3) << "no gap is told";
  EXPECT_TRUE(trace.complete());
  EXPECT_EQ(value(trace, "signal"), "11");
  EXPECT_EQ(value(trace, "key"), "after");
  EXPECT_EQ(value(trace, "more"), "x");
}

TEST(TraceAppend, ToATraceThatIsCutOff) {
  const TempFile file;
  write_trace(file, 3);
  fs::resize_file(file.path(), fs::file_size(file.path()) - 3);
  ASSERT_TRUE(append_metadata(file.path(), {{"signal", "9"}}));
  TraceReader trace(file.path());
  read_all(trace);
  EXPECT_FALSE(trace.complete());
  EXPECT_EQ(value(trace, "signal"), "9");
  EXPECT_EQ(value(trace, "key"), "before");
}

TEST(TraceAppend, NotToSomethingElse) {
  const TempFile file;
  EXPECT_FALSE(append_metadata("/no/such/trace.xft", {{"a", "b"}}));
  const std::string text = "no trace, but longer than the header of one";
  std::ofstream(file.path()) << text;
  EXPECT_FALSE(append_metadata(file.path(), {{"a", "b"}}));
  EXPECT_EQ(fs::file_size(file.path()), text.size());
}

}  // namespace
}  // namespace xfer::test
