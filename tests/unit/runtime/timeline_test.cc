#include "xfer/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "temp_file.h"
#include "text_trace.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using Json = nlohmann::json;

Json timeline_of(const std::string& text, const std::string& kernel,
                 const std::vector<Event>& more = {}) {
  const TempFile file;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    for (Event event : parse_trace(text)) {
      event.site = 0;
      if (event.kind == EventKind::kLaunch) event.name = writer->intern_string(kernel);
      writer->add(event);
    }
    for (Event event : more) {
      if (event.kind == EventKind::kScopeBegin) event.name = writer->intern_string("step");
      writer->add(event);
    }
  }
  std::ostringstream out;
  write_perfetto({file.path(), file.path()}, {}, out);
  return Json::parse(out.str());
}

std::map<std::string, int> phases(const Json& timeline) {
  std::map<std::string, int> count;
  for (const Json& event : timeline["traceEvents"]) ++count[event["ph"]];
  return count;
}

TEST(Timeline, EachTraceHasTracksOfItsOwn) {
  const Json timeline = timeline_of("alloc A 256\nlaunch w=A id=1\ntime 1 500", "_Z5scalePfi");
  std::map<std::int64_t, int> slices;
  for (const Json& event : timeline["traceEvents"])
    if (event["ph"] == "X") ++slices[event["pid"]];
  EXPECT_EQ(slices, (std::map<std::int64_t, int>{{1000, 2}, {1001, 1}, {2000, 2}, {2001, 1}}));
}

TEST(Timeline, AnyNameIsText) {
  const std::string hostile = "\"}],</script>\n\x01\xff";
  const Json timeline = timeline_of("launch", hostile);
  bool found = false;
  for (const Json& event : timeline["traceEvents"])
    found = found || (event["ph"] == "X" &&
                      event["name"].get<std::string>().starts_with("\"}],</script>\n\x01"));
  EXPECT_TRUE(found) << timeline;
}

TEST(Timeline, ScopesThatTheProgramLeftOpenAreClosed) {
  Event begin, end;
  begin.kind = EventKind::kScopeBegin;
  begin.begin_ns = begin.end_ns = 5;
  end.kind = EventKind::kScopeEnd;
  end.begin_ns = end.end_ns = 9;
  auto count = phases(timeline_of("launch", "k", {begin, begin, end}));
  EXPECT_EQ(count["B"], 2 * 2);
  EXPECT_EQ(count["E"], 2 * 2);
  count = phases(timeline_of("launch", "k", {end, begin, end, end}));
  EXPECT_EQ(count["B"], 2);
  EXPECT_EQ(count["E"], 2) << "an end without a begin";
}

// Slices of a track nest: what is still open within a scope that ends is cut in two.
TEST(Timeline, ScopesThatDoNotNest) {
  std::vector<Event> events(4);
  events[0].kind = events[1].kind = EventKind::kScopeBegin;
  events[2].kind = events[3].kind = EventKind::kScopeEnd;
  events[0].event_id = events[2].event_id = 1;
  events[1].event_id = events[3].event_id = 2;
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i].begin_ns = events[i].end_ns = 1000 * (i + 1);
  const Json timeline = timeline_of("", "k", events);
  std::string order;
  for (const Json& event : timeline["traceEvents"])
    if (event["pid"] == 1000 && event["ph"] != "M")
      order += event["ph"].get<std::string>() + std::to_string(event["ts"].get<int>()) + ' ';
  EXPECT_EQ(order, "B1 B2 E3 E3 B3 E4 ");
}

TEST(Timeline, AnEmptyTraceIsAnEmptyTimeline) {
  EXPECT_TRUE(timeline_of("", "k")["traceEvents"].empty());
}

}  // namespace
}  // namespace xfer::test
