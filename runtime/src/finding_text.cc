#include "finding_text.h"

#include <algorithm>

#include "xfer/rules/report.h"

namespace xfer {

std::string device_name(std::int16_t device) {
  return device < 0 ? "the host" : "cuda:" + std::to_string(device);
}

namespace {

std::string times(std::uint64_t count) {
  if (count == 1) return "once";
  if (count == 2) return "twice";
  return std::to_string(count) + " times";
}

bool sizes_differ(const EngineFinding& found) {
  return found.smallest_bytes != found.largest_bytes;
}

std::string each_bytes(const EngineFinding& found) {
  if (found.largest_bytes == 0) return "memory";  // whose size was not recorded
  const std::string text = format_bytes(found.largest_bytes);
  return sizes_differ(found) ? "up to " + text : text;
}

/// After "the" or "the same".
std::string those_bytes(const EngineFinding& found) {
  const std::string text = format_bytes(found.largest_bytes);
  return sizes_differ(found) ? "bytes, up to " + text + " at a time," : text;
}

}  // namespace

Severity severity_of(const EngineFinding& found) {
  constexpr std::uint64_t kInEachStep = 3;
  const bool waits_in_each_step =
      found.reason == Reason::kWaitingDownload && found.cost.count >= kInEachStep;
  return waits_in_each_step ? Severity::kWarning : info(found.rule).severity;
}

std::string about_the_other(const EngineFinding& found) {
  if (found.early == EarlyWork::kKernel) return "the kernel or graph is launched here";
  if (found.early == EarlyWork::kFill) return "the fill begins here";
  return std::string(info(found.reason).other);
}

namespace {

/// Of what is freed and sent again: what its line sends never changes.
bool is_forgotten_constant(const EngineFinding& found) {
  return found.reason == Reason::kFreedUnchanged && !found.renews && found.copies_at_site != 0 &&
         found.cost.count * 2 >= found.copies_at_site;
}

/// The words for it.
const ReasonInfo& words_of(const EngineFinding& found) {
  return info(is_forgotten_constant(found) ? Reason::kConstantAgain : found.reason);
}

}  // namespace

std::string remedy_of(const EngineFinding& found) { return std::string(words_of(found).remedy); }

namespace {

std::string way(const EngineFinding& found) {
  return found.device < 0 ? "from " + device_name(found.source_device)
                          : "to " + device_name(found.device);
}

/// That still uses memory.
std::string work(const EngineFinding& found) {
  const bool of_freed = found.rule == Rule::kUseAfterFree;
  if (found.early == EarlyWork::kFill)
    return of_freed ? "a fill" : "a fill on " + device_name(found.device);
  if (found.early == EarlyWork::kKernel)
    return of_freed ? "a kernel or graph" : "a kernel or graph on " + device_name(found.device);
  switch (found.reason) {
    case Reason::kHostWritesPending:
    case Reason::kSourceOverwritten:
    case Reason::kSourceChanged:
    case Reason::kLaunchedOver:
      return "an asynchronous copy of " + each_bytes(found) + " " + way(found);
    case Reason::kFreedPending:
    case Reason::kHostFreedPending:
    case Reason::kReusedPending: return "an asynchronous copy";
    default: return "an asynchronous copy " + way(found);
  }
}

std::string why(const EngineFinding& found) {
  const ReasonInfo& reason = words_of(found);
  const bool maybe = found.confidence == Confidence::kLookAlike && !reason.maybe.empty();
  return format_message(maybe ? reason.maybe : reason.why,
                        {{"other", device_name(found.source_device)}, {"work", work(found)}});
}

}  // namespace

std::string message_of(const EngineFinding& found) {
  // A trip is described from its start.
  const bool from_host = found.reason == Reason::kSentAndReturned;
  const bool goes_on = found.reason == Reason::kThroughHost;
  const std::string home = from_host ? device_name(-1)
                           : goes_on ? device_name(found.source_device)
                                     : device_name(found.device);
  const std::string away = from_host ? device_name(found.source_device) : device_name(-1);
  const bool trip = found.rule == Rule::kRoundTrip;
  return format_message(info(found.rule).run_message,
                        {{"bytes", each_bytes(found)},
                         {"those_bytes", those_bytes(found)},
                         {"are", found.largest_bytes <= 1 ? "is" : "are"},
                         {"idle", device_name(std::max(found.device, found.source_device))},
                         {"device", trip ? home : device_name(found.device)},
                         {"via", away},
                         {"onward", goes_on ? "on to " + device_name(found.device) : "back"},
                         {"held", why(found)},
                         {"why", why(found)},
                         {"way", way(found)},
                         {"work", work(found)},
                         {"count", std::to_string(found.cost.count)},
                         {"times", times(found.cost.count)}});
}

}  // namespace xfer
