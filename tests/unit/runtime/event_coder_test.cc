#include <gtest/gtest.h>

#include "random_event.h"
#include "src/trace_format.h"

namespace xfer::test {
namespace {

TEST(EventCoder, GivesBackEveryFieldOfAnyEvent) {
  std::mt19937_64 random(1);
  std::vector<Event> events;
  std::string bytes;
  format::EventCoder writer;
  for (int i = 0; i < 20000; ++i) {
    events.push_back(random_event(random));
    writer.put(bytes, events.back());
  }
  format::Cursor in(bytes);
  format::EventCoder reader;
  for (const Event& event : events) {
    ASSERT_EQ(in.plain<std::uint8_t>(), format::kEvent);
    const Event taken = reader.take(in);
    ASSERT_TRUE(in.ok());
    ASSERT_TRUE(same(taken, event));
  }
  EXPECT_TRUE(in.at_end());
}

TEST(EventCoder, KeepsOrdinaryEventsSmall) {
  format::EventCoder coder;
  std::string bytes;
  Event event;
  event.kind = EventKind::kLaunch;
  constexpr std::size_t kEvents = 1000;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    event.correlation = i;
    event.begin_ns = 7'000'000'000'000 + i * 5000;
    event.end_ns = event.begin_ns + 3000;
    event.site = 3;
    event.name = 4;
    coder.put(bytes, event);
  }
  EXPECT_LT(bytes.size(), kEvents * 16);
}

TEST(EventCoder, RefusesWhatIsNoEvent) {
  std::string bytes(8, '\xff');
  format::Cursor in(bytes);
  format::EventCoder().take(in);
  EXPECT_FALSE(in.ok());
}

TEST(EventCoder, RefusesATruncatedEvent) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    std::string bytes;
    const Event event = random_event(random);
    format::EventCoder().put(bytes, event);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      format::Cursor in(std::string_view(bytes).substr(1, cut - 1));
      format::EventCoder().take(in);
      ASSERT_FALSE(in.ok());
    }
  }
}

}  // namespace
}  // namespace xfer::test
