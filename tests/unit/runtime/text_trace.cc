#include "text_trace.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace xfer::test {
namespace {

constexpr std::uint64_t kSpacing = std::uint64_t{1} << 24;
constexpr std::uint64_t kDeviceBase = 0x7f00'0000'0000;
constexpr std::uint64_t kHostBase = 0x5500'0000'0000;

struct Line {
  std::uint32_t number;
  std::vector<std::string> words;
};

class Parser {
 public:
  std::vector<Event> parse(std::string_view text) {
    std::vector<Line> lines;
    std::istringstream in{std::string(text)};
    std::string line;
    for (std::uint32_t number = 1; std::getline(in, line); ++number) {
      line.resize(std::min(line.find(';'), line.size()));
      std::istringstream words(line);
      Line parsed{number, {}};
      for (std::string word; words >> word;) parsed.words.push_back(word);
      if (!parsed.words.empty()) lines.push_back(std::move(parsed));
    }
    block(lines, 0, lines.size());
    return std::move(events_);
  }

 private:
  void block(const std::vector<Line>& lines, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (lines[i].words[0] != "repeat") {
        statement(lines[i]);
        continue;
      }
      std::size_t close = i + 1;
      for (int depth = 1; close < end; ++close) {
        if (lines[close].words[0] == "repeat") ++depth;
        if (lines[close].words[0] == "end" && --depth == 0) break;
      }
      if (close == end) fail(lines[i], "repeat without end");
      const int count = std::stoi(lines[i].words.at(1));
      for (int iteration = 0; iteration < count; ++iteration) {
        iteration_ = std::to_string(iteration);
        block(lines, i + 1, close);
      }
      i = close;
    }
  }

  [[noreturn]] static void fail(const Line& line, const std::string& what) {
    throw std::invalid_argument("line " + std::to_string(line.number) + ": " + what);
  }

  std::uint64_t address(const std::string& expression) {
    const std::size_t plus = expression.find('+');
    const std::string name = expression.substr(0, plus);
    const std::uint64_t offset =
        plus == std::string::npos ? 0 : std::stoull(expression.substr(plus + 1));
    if (std::isdigit(static_cast<unsigned char>(name[0])))
      return std::stoull(name, nullptr, 0) + offset;
    const auto [entry, is_new] = addresses_.try_emplace(
        name, (devices_.contains(name) ? kDeviceBase : kHostBase) + kSpacing * addresses_.size());
    return entry->second + offset;
  }

  /// Of `ID+500`: the host's clock that long after the call with id=ID began.
  std::uint64_t until(const std::string& place) const {
    const std::size_t plus = place.find('+');
    return begun_.at(std::stoull(place.substr(0, plus))) + std::stoull(place.substr(plus + 1));
  }

  std::int16_t device_of(const std::string& expression) const {
    const auto found = devices_.find(expression.substr(0, expression.find('+')));
    return found != devices_.end() ? found->second : std::int16_t{-1};
  }

  Space space_of(const std::string& expression, Space otherwise) const {
    const auto found = spaces_.find(expression.substr(0, expression.find('+')));
    return found != spaces_.end() ? found->second : otherwise;
  }

  /// "64", or rows: "64:extent:pitch".
  static void set_rows(Event& argument, const std::string& value) {
    std::istringstream numbers(value);
    char colon = 0;
    numbers >> argument.bytes;
    if (numbers >> colon >> argument.extent >> colon >> argument.pitch) argument.flags |= kStrided;
  }

  static void set_hash(Event& event, const std::string& content) {
    event.flags |= kHashed;
    event.hash_lo = std::hash<std::string>()(content);
    event.hash_hi = ~event.hash_lo;
  }

  void statement(const Line& line) {
    Event event;
    event.site = line.number;
    event.correlation = next_correlation_++;
    event.begin_ns = clock_;
    std::uint64_t duration = 1000;
    std::vector<std::string> words;
    std::vector<std::pair<std::string, std::string>> arguments;
    for (std::string word : line.words) {
      if (const std::size_t at = word.find("{i}"); at != std::string::npos)
        word.replace(at, 3, iteration_);
      const std::size_t equals = word.find('=');
      const std::string key = word.substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (word[0] == '#')
        set_hash(event, word);
      else if (equals != std::string::npos && (key == "r" || key == "w" || key == "rw" ||
                                               key == "names" || key == "uses" || key == "other"))
        arguments.emplace_back(key, value);
      else if (key == "dev")
        event.device = static_cast<std::int16_t>(std::stoi(value));
      else if (key == "stream" && equals != std::string::npos)
        event.stream = std::stoull(value) + 100;
      else if (key == "event")
        event.event_id = std::stoull(value);
      else if (key == "id")
        begun_[std::stoull(value)] = clock_, event.correlation = 1'000'000 + std::stoull(value);
      else if (key == "ns")
        duration = std::stoull(value);
      else if (key == "at")
        event.site = static_cast<std::uint32_t>(std::stoul(value));
      else if (key == "thread")
        event.thread = static_cast<std::uint32_t>(std::stoul(value));
      else if (key == "extent" || key == "sextent") {
        (key == "extent" ? event.extent : event.source_extent) = std::stoull(value);
        event.flags |= kStrided;
      } else if (key == "pitch" || key == "spitch") {
        (key == "pitch" ? event.pitch : event.source_pitch) = std::stoull(value);
      } else if (word == "block")
        event.flags |= kSuballocation;
      else if (word == "async" || word == "nonblocking")
        event.flags |= kAsync;
      else if (word == "all")
        event.flags |= kMayTouchAll;
      else if (word == "skipped")
        event.flags |= kSkipped;
      else if (word == "failed")
        event.flags |= kFailed;
      else if (word == "captured")
        event.flags |= kCaptured;
      else if (word == "unchanged")
        event.flags |= kUnchanged;
      else if (word == "addresses")
        event.flags |= kHoldsAddresses;
      else if (word == "implicit")
        event.flags |= kImplicit;
      else if (word == "registered")
        event.flags |= kRegistered;
      else if (word == "plain")
        event.flags |= kPlain;
      else if (word == "only")
        event.flags |= kArgumentsOnly;
      else if (word == "managed")
        event.space = Space::kManaged;
      else if (word == "pinned")
        event.space = Space::kPinned;
      else
        words.push_back(word);
    }
    event.end_ns = event.begin_ns + duration;
    clock_ += duration;
    build(line, words, arguments, event);
  }

  void build(const Line& line, const std::vector<std::string>& words,
             const std::vector<std::pair<std::string, std::string>>& arguments, Event event) {
    const std::string& verb = words.at(0);
    const auto word = [&](std::size_t i) -> const std::string& {
      if (i >= words.size()) fail(line, "too few words");
      return words[i];
    };
    if (verb == "alloc") {
      if (event.space == Space::kUnknown) event.space = Space::kDevice;
      devices_[word(1)] = event.space == Space::kPinned ? std::int16_t{-1} : event.device;
      if (event.space != Space::kDevice) spaces_[word(1)] = event.space;
      event.kind = EventKind::kAlloc;
      event.address = address(word(1));
      event.bytes = std::stoull(word(2));
    } else if (verb == "free") {
      event.kind = EventKind::kFree;
      event.address = address(word(1));
      if (words.size() == 3 && words[2] == "reset") event.sync = SyncScope::kDevice;
      event.space = space_of(word(1), Space::kDevice);
      event.device = device_of(word(1));
    } else if (verb == "h2d" || verb == "d2h" || verb == "d2d") {
      event.kind = EventKind::kCopy;
      event.address = address(word(1));
      event.source = address(word(2));
      event.bytes = std::stoull(word(3));
      event.device = device_of(word(1));
      event.source_device = device_of(word(2));
      event.space = space_of(word(1), verb[2] == 'd' ? Space::kDevice : Space::kPageable);
      event.source_space = space_of(word(2), verb[0] == 'd' ? Space::kDevice : Space::kPageable);
      if ((event.flags & kStrided) != 0) {
        if (event.extent == 0) event.extent = event.bytes;
        if (event.source_extent == 0) event.source_extent = event.bytes;
      }
    } else if (verb == "read" || verb == "write" || verb == "touch") {
      event.kind = EventKind::kHostAccess;
      if (event.correlation < 1'000'000) event.correlation = 0;  // of no work, if not told by id=
      event.address = address(word(1));
      event.bytes = 1;
      event.space = space_of(word(1), Space::kDevice);
      if (verb != "touch") event.flags |= verb == "read" ? kReads : kWrites;
    } else if (verb == "changed") {
      const auto call = std::ranges::find(events_, event.correlation,
                                          [](const Event& e) { return e.correlation; });
      if (call == events_.end()) fail(line, "no call has this id");
      const std::uint16_t flags = event.flags;
      event = *call;
      event.kind = EventKind::kSourceChanged;
      event.flags = flags;
    } else if (verb == "hostfunc") {
      event.kind = EventKind::kHostFunction;
    } else if (verb == "peer") {
      event.kind = EventKind::kPeerAccess;
      event.source_device = static_cast<std::int16_t>(std::stoi(word(1)));
    } else if (verb == "reset") {
      event.kind = EventKind::kFree;
      event.sync = SyncScope::kDevice;
    } else if (verb == "set") {
      event.kind = EventKind::kSet;
      event.address = address(word(1));
      event.space = space_of(word(1), Space::kDevice);
      event.device = device_of(word(1));
      event.bytes = std::stoull(word(2));
    } else if (verb == "launch") {
      for (const auto& [access, value] : arguments) {
        Event argument;
        argument.kind = EventKind::kLaunchArg;
        argument.correlation = event.correlation;
        argument.site = event.site;
        const std::size_t colon = value.find(':');
        argument.address = address(value.substr(0, colon));
        if (colon != std::string::npos) set_rows(argument, value.substr(colon + 1));
        const bool of_graph = access == "names" || access == "uses" || access == "other";
        if (access != "w" && (!of_graph || access == "uses")) argument.flags |= kReads;
        if (access != "r" && (!of_graph || access == "uses")) argument.flags |= kWrites;
        if (of_graph) argument.flags |= kMayTouchAll;
        argument.flags |= event.flags & kPlain;
        if (access != "names" && access != "uses")
          argument.space = space_of(value.substr(0, colon), Space::kDevice);
        events_.push_back(argument);
      }
      event.kind = EventKind::kLaunch;
      event.flags &= static_cast<std::uint16_t>(~kPlain);
    } else if (verb == "sync") {
      event.kind = EventKind::kSync;
      event.sync = event.event_id != 0 ? SyncScope::kEvent
                   : event.stream != 0 ? SyncScope::kStream
                                       : SyncScope::kDevice;
      if (words.size() == 2 && words[1] == "stream") event.sync = SyncScope::kStream;
    } else if (verb == "stream" || verb == "destroy") {
      event.kind = verb == "stream" ? EventKind::kStreamCreate : EventKind::kStreamDestroy;
      event.stream = std::stoull(word(1)) + 100;
    } else if (verb == "record" || verb == "wait") {
      event.kind = verb == "record" ? EventKind::kEventRecord : EventKind::kStreamWait;
      event.event_id = std::stoull(word(1));
    } else if (verb == "time") {
      event.kind = EventKind::kDeviceTime;
      event.correlation = 1'000'000 + std::stoull(word(1));
      event.begin_ns = words.size() > 3 ? until(word(4)) - std::stoull(word(2)) : 0;
      event.end_ns = event.begin_ns + std::stoull(word(2));
    } else if (verb == "content") {
      event.kind = EventKind::kContent;
      event.correlation = 1'000'000 + std::stoull(word(1));
    } else if (verb == "unread" || verb == "unseen") {
      event.kind = verb == "unread" ? EventKind::kUnread : EventKind::kUnseen;
      event.address = address(word(1));
      event.bytes = std::stoull(word(2));
    } else if (verb == "name") {
      event.kind = EventKind::kBufferName;
      event.address = address(word(1));
      event.bytes = std::stoull(word(2));
      event.name = static_cast<std::uint32_t>(std::stoul(word(3)));
    } else if (verb == "enter" || verb == "leave") {
      event.kind = verb == "enter" ? EventKind::kScopeBegin : EventKind::kScopeEnd;
      event.event_id = std::stoull(word(1));
      event.name = static_cast<std::uint32_t>(event.event_id);
    } else if (verb == "clock") {
      event.kind = EventKind::kHostClock;
    } else if (verb == "dropped") {
      event.kind = EventKind::kDropped;
      event.bytes = std::stoull(word(1));
    } else {
      fail(line, "what is '" + verb + "'?");
    }
    events_.push_back(event);
  }

  std::map<std::uint64_t, std::uint64_t> begun_;  // by id, when
  std::vector<Event> events_;
  std::map<std::string, std::uint64_t> addresses_;
  std::map<std::string, std::int16_t> devices_;
  std::map<std::string, Space> spaces_;  ///< of those that are not in device memory
  std::string iteration_ = "0";
  std::uint64_t next_correlation_ = 1;
  std::uint64_t clock_ = 1;
};

}  // namespace

std::vector<Event> parse_trace(std::string_view text) { return Parser().parse(text); }

std::vector<std::string> describe(const std::vector<EngineFinding>& findings) {
  std::vector<EngineFinding> sorted = findings;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.site, a.rule, a.other_site) < std::tuple(b.site, b.rule, b.other_site);
  });
  std::vector<std::string> lines;
  for (const EngineFinding& finding : sorted) {
    std::ostringstream line;
    line << finding.site << ": " << info(finding.rule).slug << ' ' << name(finding.confidence)
         << ' ' << info(finding.reason).slug
         << (finding.early == EarlyWork::kKernel ? " of-kernel "
             : finding.early == EarlyWork::kFill ? " of-fill "
                                                 : " ")
         << finding.cost.count << "x " << finding.cost.bytes << " B";
    if (finding.other_site != 0) line << " (" << finding.other_site << ')';
    lines.push_back(line.str());
  }
  return lines;
}

std::vector<std::string> findings_of(std::string_view trace, Ending ending,
                                     const EngineOptions& options) {
  Engine engine(options);
  for (const Event& event : parse_trace(trace)) engine.add(event);
  return describe(engine.finish(ending));
}

}  // namespace xfer::test
