#include "foreign/kineto_event.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace xfer::foreign {
namespace {

using std::string_view;

/// A count, or an address as HIP writes it: "0x7fda0e810200". Nothing: it is none.
std::optional<std::int64_t> whole_number(string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

/// Microseconds with any number of decimals, as nanoseconds; exact, which a double is not for
/// times since 1970. Negative ones are 0.
std::uint64_t nanoseconds(string_view text) {
  const std::size_t point = text.find_first_of(".eE");
  const std::optional<std::int64_t> whole = whole_number(text.substr(0, point));
  constexpr std::int64_t kMost = INT64_MAX / 1000 - 1;
  if (!whole || *whole < 0 || *whole > kMost) return 0;
  if (point == string_view::npos) return static_cast<std::uint64_t>(*whole) * 1000;
  if (text.find_first_of("eE") != string_view::npos) {
    const double value = std::strtod(std::string(text).c_str(), nullptr) * 1000;
    return value > 0 && value < 9e18 ? static_cast<std::uint64_t>(std::llround(value)) : 0;
  }
  std::uint64_t ns = static_cast<std::uint64_t>(*whole);
  for (std::size_t digit = 1; digit <= 3; ++digit) {
    const bool there = point + digit < text.size();
    ns = ns * 10 + (there ? static_cast<std::uint64_t>(text[point + digit] - '0') % 10 : 0);
  }
  return ns;
}

enum class Category : std::uint8_t {
  kOther,
  kCall,
  kKernel,
  kCopy,
  kFill,
  kSync,
  kOperator,
  kAnnotation,
  kPython
};

Category category_named(string_view name) {
  // PyTorch 1.8 writes them with capitals, and other words.
  static const std::unordered_map<string_view, Category> kCategories{
      {"cuda_runtime", Category::kCall},     {"cuda_driver", Category::kCall},
      {"hip_runtime", Category::kCall},      {"Runtime", Category::kCall},
      {"kernel", Category::kKernel},         {"Kernel", Category::kKernel},
      {"gpu_memcpy", Category::kCopy},       {"Memcpy", Category::kCopy},
      {"gpu_memset", Category::kFill},       {"Memset", Category::kFill},
      {"cuda_sync", Category::kSync},        {"cpu_op", Category::kOperator},
      {"Operator", Category::kOperator},     {"user_annotation", Category::kAnnotation},
      {"python_function", Category::kPython}};
  const auto found = kCategories.find(name);
  return found != kCategories.end() ? found->second : Category::kOther;
}

Space space_named(string_view side) {
  if (side == "Pageable") return Space::kPageable;
  // HIP says no more of host memory; rules of pageable memory must not take it for that.
  if (side == "Pinned" || side == "Host") return Space::kPinned;
  if (side == "Managed" || side == "Unified") return Space::kManaged;
  if (side == "Device" || side == "Array" || side == "Peer") return Space::kDevice;
  return Space::kUnknown;
}

/// "Memcpy HtoD (Pageable -> Device)"
void set_sides(Work& copy, string_view name) {
  const std::size_t open = name.find('(');
  const std::size_t arrow = name.find(" -> ");
  const std::size_t close = name.rfind(')');
  if (open == string_view::npos || arrow == string_view::npos || close == string_view::npos ||
      !(open < arrow && arrow + 4 <= close))
    return;
  copy.from = space_named(name.substr(open + 1, arrow - open - 1));
  copy.to = space_named(name.substr(arrow + 4, close - arrow - 4));
}

std::uint32_t thread_number(string_view thread) {
  const std::optional<std::int64_t> number = whole_number(thread);
  return number ? static_cast<std::uint32_t>(*number)
                : static_cast<std::uint32_t>(std::hash<string_view>()(thread));
}

std::int16_t device_number(std::int64_t device) {
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(device, 0, INT16_MAX));
}

void add_work(Run& run, const KinetoEvent& event, Work::Kind kind) {
  Work work;
  work.begin_ns = event.begin_ns;
  work.end_ns = event.begin_ns + event.duration_ns;
  work.correlation = event.correlation;
  work.bytes = event.bytes;
  work.stream = event.stream == kNoStream ? 0 : event.stream;
  work.operator_id = event.operator_id;
  work.device = device_number(event.device);
  work.kind = kind;
  if (kind == Work::Kind::kKernel) work.name = run.texts.number(event.name);
  if (kind == Work::Kind::kCopy) set_sides(work, event.name);
  if (kind == Work::Kind::kFill) work.to = Space::kDevice;
  run.work.push_back(work);
}

void add_call(Run& run, const KinetoEvent& event) {
  run.calls.push_back({event.begin_ns, event.begin_ns + event.duration_ns, event.correlation,
                       event.bytes, event.stream, thread_number(event.thread),
                       run.texts.number(event.name)});
}

void add_wait(Run& run, const KinetoEvent& event) {
  const string_view kind = event.sync_kind;
  if (kind != "Stream Sync" && kind != "Context Sync" && kind != "Event Sync" &&
      kind != "Stream Wait Event")
    return;
  Wait wait;
  wait.device = device_number(event.device);
  wait.stream = event.stream;
  wait.recorded_on = event.event_stream;
  wait.record = event.event_record;
  run.waits.insert_or_assign(event.correlation, wait);
}

void add_scope(Run& run, const KinetoEvent& event, Scope::Kind kind) {
  run.scopes.push_back({event.begin_ns, event.begin_ns + event.duration_ns, event.operator_id,
                        thread_number(event.thread), run.texts.number(event.name), kind});
}

/// PyTorch 1.8 has annotations among its operators, whose names have a namespace.
bool is_operator(string_view name) {
  const std::size_t colons = name.find("::");
  return colons != string_view::npos && name.substr(0, colons).find(' ') == string_view::npos;
}

/// A number that is no stream's stands for none: CUPTI writes -1 or 2^32 - 1.
std::uint64_t stream_number(std::int64_t value) {
  constexpr std::int64_t kNone = UINT32_MAX;
  return value < 0 || value == kNone ? kNoStream : static_cast<std::uint64_t>(value);
}

}  // namespace

Member member_named(string_view name) {
  static const std::unordered_map<string_view, Member> kMembers{
      {"ph", Member::kPhase},
      {"cat", Member::kCategory},
      {"name", Member::kName},
      {"tid", Member::kThread},
      {"ts", Member::kBegin},
      {"dur", Member::kDuration},
      {"args", Member::kArguments},
      {"correlation", Member::kCorrelation},
      {"stream", Member::kStream},
      {"device", Member::kDevice},
      {"bytes", Member::kBytes},
      {"Bytes", Member::kBytes},
      {"size", Member::kSize},
      {"cuda_sync_kind", Member::kSyncKind},
      {"External id", Member::kOperatorId},
      {"external id", Member::kOperatorId},
      {"wait_on_stream", Member::kEventStream},
      {"wait_on_cuda_event_record_corr_id", Member::kEventRecord}};
  const auto found = kMembers.find(name);
  return found != kMembers.end() ? found->second : Member::kOther;
}

void KinetoEvent::clear() {
  const auto emptied = [](std::string& text) {
    text.clear();
    return std::move(text);
  };
  KinetoEvent empty;
  empty.category = emptied(category);
  empty.name = emptied(name);
  empty.sync_kind = emptied(sync_kind);
  empty.thread = emptied(thread);
  *this = std::move(empty);
}

void KinetoEvent::set(Member member, string_view value) {
  const auto number = [&] { return whole_number(value).value_or(0); };
  const auto count = [&] {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(number(), 0));
  };
  switch (member) {
    case Member::kPhase: phase = value.size() == 1 ? value[0] : '\0'; break;
    case Member::kCategory: category = value; break;
    case Member::kName: name = value; break;
    case Member::kThread: thread = value; break;
    case Member::kBegin: begin_ns = nanoseconds(value); break;
    case Member::kDuration: duration_ns = nanoseconds(value); break;
    case Member::kCorrelation: correlation = count(); break;
    case Member::kStream: stream = stream_number(whole_number(value).value_or(-1)); break;
    case Member::kDevice: device = number(); break;
    case Member::kBytes:
    case Member::kSize: bytes = count(); break;
    case Member::kSyncKind: sync_kind = value; break;
    case Member::kEventStream:
      event_stream = stream_number(whole_number(value).value_or(-1));
      break;
    case Member::kEventRecord: event_record = whole_number(value).value_or(kNoRecord); break;
    case Member::kOperatorId: operator_id = count(); break;
    case Member::kArguments:
    case Member::kOther: break;
  }
}

void add_to(Run& run, const KinetoEvent& event) {
  if (event.phase != 'X' || event.begin_ns == 0) return;
  switch (category_named(event.category)) {
    case Category::kCall: return add_call(run, event);
    case Category::kKernel: return add_work(run, event, Work::Kind::kKernel);
    case Category::kCopy: return add_work(run, event, Work::Kind::kCopy);
    case Category::kFill: return add_work(run, event, Work::Kind::kFill);
    case Category::kSync: return add_wait(run, event);
    case Category::kOperator:
      return add_scope(run, event,
                       is_operator(event.name) ? Scope::Kind::kOperator : Scope::Kind::kAnnotation);
    case Category::kAnnotation: return add_scope(run, event, Scope::Kind::kAnnotation);
    case Category::kPython: return add_scope(run, event, Scope::Kind::kPython);
    case Category::kOther: return;
  }
}

}  // namespace xfer::foreign
