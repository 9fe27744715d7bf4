#include "foreign/joined_run.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace xfer::foreign {
namespace {

/// Threads and begins of the operators that asked for work whose call was not recorded, by their
/// ids.
class Operators {
 public:
  explicit Operators(const Run& run) {
    for (const Work& work : run.work)
      if (work.operator_id != 0) asked_.try_emplace(work.operator_id);
    if (asked_.empty()) return;
    for (const Scope& scope : run.scopes)
      if (const auto asked = asked_.find(scope.operator_id); asked != asked_.end())
        asked->second = {scope.thread, scope.begin_ns, true};
  }

  /// Takes the operator's place, if it is known.
  void place(Call& call, const Work& work) const {
    const auto asked = asked_.find(work.operator_id);
    if (asked == asked_.end() || !asked->second.is_known) return;
    call.thread = asked->second.thread;
    call.begin_ns = call.end_ns = std::min(asked->second.begin_ns, work.begin_ns);
  }

 private:
  struct Asked {
    std::uint32_t thread = 0;
    std::uint64_t begin_ns = 0;
    bool is_known = false;
  };
  std::unordered_map<std::uint64_t, Asked> asked_;
};

bool is_wait(CallKind kind) {
  return kind == CallKind::kSyncStream || kind == CallKind::kSyncDevice ||
         kind == CallKind::kSyncEvent;
}

}  // namespace

JoinedRun::JoinedRun(Run run) : run_(std::move(run)) {
  sort_work();
  join();
  name_hip_streams();
  std::stable_sort(run_.calls.begin(), run_.calls.end(),
                   [](const Call& a, const Call& b) { return a.begin_ns < b.begin_ns; });
  look_at_calls();
}

/// Work without a correlation has nobody to be joined to: each piece gets a number of its own.
void JoinedRun::sort_work() {
  std::vector<Work>& work = run_.work;
  std::stable_sort(work.begin(), work.end(), [](const Work& a, const Work& b) {
    return a.correlation != b.correlation ? a.correlation < b.correlation : a.begin_ns < b.begin_ns;
  });
  const auto numbered =
      std::find_if(work.begin(), work.end(), [](const Work& one) { return one.correlation != 0; });
  const auto without = numbered - work.begin();
  if (without == 0) return;
  std::uint64_t unused = work.back().correlation;
  for (const Call& call : run_.calls) unused = std::max(unused, call.correlation);
  std::rotate(work.begin(), numbered, work.end());
  for (auto one = work.end() - without; one != work.end(); ++one) one->correlation = ++unused;
}

/// Work whose call was not recorded was given before the recording began, or by a library, or the
/// tool records no calls.
void JoinedRun::join() {
  std::vector<Call>& calls = run_.calls;
  std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
    return a.correlation != b.correlation ? a.correlation < b.correlation : a.begin_ns < b.begin_ns;
  });
  const Operators operators(run_);
  const std::uint32_t name = run_.texts.number("a call that was not recorded");
  const std::size_t recorded = calls.size();
  std::size_t call = 0;
  for (std::size_t first = 0, end = 0; first < run_.work.size(); first = end) {
    const Work& work = run_.work[first];
    for (end = first; end < run_.work.size() && run_.work[end].correlation == work.correlation;)
      ++end;
    while (call < recorded && calls[call].correlation < work.correlation) ++call;
    const bool is_called = call < recorded && calls[call].correlation == work.correlation;
    if (!is_called) {
      Call lone{work.begin_ns, work.begin_ns, work.correlation, 0, kNoStream, 0, name};
      operators.place(lone, work);
      lone_.insert(work.correlation);
      calls.push_back(lone);
    }
    Call& giver = is_called ? calls[call] : calls.back();
    giver.first_work = static_cast<std::uint32_t>(first);
    giver.works = static_cast<std::uint32_t>(end - first);
  }
}

/// HIP's calls name a stream by its address, and its work by a number.
void JoinedRun::name_hip_streams() {
  std::unordered_map<std::uint64_t, std::uint64_t> numbers;
  for (const Call& call : run_.calls)
    if (call.stream != kNoStream && call.works != 0)
      numbers.try_emplace(call.stream, work_of(call).front().stream);
  for (Call& call : run_.calls)
    if (call.stream != kNoStream) {
      const auto number = numbers.find(call.stream);
      call.stream = number != numbers.end() ? number->second : kNoStream;
    }
}

void JoinedRun::look_at_calls() {
  std::vector<bool> is_known;
  shares_memory_ = shares_memory_by_work();
  for (const Call& call : run_.calls) {
    if (call.name >= kinds_.size()) {
      kinds_.resize(call.name + 1);
      is_known.resize(call.name + 1);
    }
    if (is_known[call.name]) continue;
    is_known[call.name] = true;
    const std::string& name = run_.texts.text(call.name);
    const CallKind kind = kinds_[call.name] = kind_of_call(name);
    has_waits_ |= is_wait(kind);
    shares_memory_ |= kind == CallKind::kAllocPinned || name.find("Managed") != std::string::npos ||
                      name.find("HostRegister") != std::string::npos;
  }
}

bool JoinedRun::shares_memory_by_work() const {
  return run_.metadata.contains("left_out") ||
         std::any_of(run_.work.begin(), run_.work.end(), [](const Work& work) {
           return is_reached_by_both(work.from) || is_reached_by_both(work.to);
         });
}

}  // namespace xfer::foreign
