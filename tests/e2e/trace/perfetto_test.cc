// The timeline as the Perfetto UI needs it: slices of a host thread nest or are apart, scopes
// close, each arrow begins and ends in a slice, every track has a name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run_command.h"

namespace xfer::test {
namespace {

using nlohmann::json;
using Track = std::pair<std::int64_t, std::int64_t>;

struct Slice {
  std::int64_t begin, end;  // nanoseconds
};

std::int64_t nanoseconds(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

Track track_of(const json& event) { return {event["pid"], event["tid"]}; }

void expect_nested(std::vector<Slice> slices, const Track& track) {
  std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<std::int64_t> open;
  for (const Slice& slice : slices) {
    while (!open.empty() && open.back() <= slice.begin) open.pop_back();
    EXPECT_TRUE(open.empty() || slice.end <= open.back())
        << "a slice of track " << track.first << '/' << track.second << " at " << slice.begin
        << " ns ends after the one around it";
    open.push_back(slice.end);
  }
}

class Timeline {
 public:
  explicit Timeline(const json& events) {
    for (const json& event : events) add(event);
  }

  void check() const {
    for (const auto& [track, slices] : slices_) {
      expect_nested(slices, track);  // Perfetto drops those that overlap
      EXPECT_TRUE(named_.count(track) != 0) << track.first << '/' << track.second;
    }
    for (const auto& [track, scopes] : open_) EXPECT_TRUE(scopes.empty());
    for (const auto& [id, ends] : arrows_) {
      EXPECT_EQ(ends.size(), 2U) << id;
      for (const auto& [track, at] : ends) EXPECT_TRUE(in_a_slice(track, at)) << id;
    }
  }
  std::size_t arrows() const { return arrows_.size(); }
  std::size_t tracks() const { return slices_.size(); }

 private:
  void add(const json& event) {
    const std::string phase = event["ph"];
    const Track track = track_of(event);
    if (phase == "M") {
      if (event["name"] == "thread_name") named_[track] = event["args"]["name"];
      return;
    }
    const std::int64_t at = nanoseconds(event["ts"]);
    if (phase == "X") {
      slices_[track].push_back({at, at + nanoseconds(event["dur"])});
    } else if (phase == "B") {
      open_[track].push_back(at);
    } else if (phase == "E") {
      ASSERT_FALSE(open_[track].empty());
      slices_[track].push_back({open_[track].back(), at});
      open_[track].pop_back();
    } else {
      ASSERT_TRUE(phase == "s" || phase == "f") << phase;
      arrows_[event["cat"].get<std::string>() + event["id"].dump()].push_back({track, at});
    }
  }
  bool in_a_slice(const Track& track, std::int64_t at) const {
    const auto slices = slices_.find(track);
    return slices != slices_.end() &&
           std::any_of(slices->second.begin(), slices->second.end(),
                       [&](const Slice& slice) { return slice.begin <= at && at <= slice.end; });
  }

  std::map<Track, std::vector<Slice>> slices_;
  std::map<Track, std::vector<std::int64_t>> open_;
  std::map<std::string, std::vector<std::pair<Track, std::int64_t>>> arrows_;
  std::map<Track, std::string> named_;
};

TEST(Perfetto, SlicesNestAndArrowsMeetThem) {
  for (const char* name : {"repeated", "async_round_trip", "threads", "exec"}) {
    SCOPED_TRACE(name);
    const CommandResult result =
        run_command({XFER_XFERTRACE, "--emulate", "--format", "perfetto", XFER_CASES, name});
    const std::size_t begin = result.out.find('{');
    ASSERT_NE(begin, std::string::npos) << result.err;
    const json timeline = json::parse(result.out.substr(begin), nullptr, false);
    ASSERT_FALSE(timeline.is_discarded());
    const Timeline events(timeline["traceEvents"]);
    events.check();
    EXPECT_GT(events.arrows(), 3U);
    EXPECT_GT(events.tracks(), 1U);
  }
}

}  // namespace
}  // namespace xfer::test
