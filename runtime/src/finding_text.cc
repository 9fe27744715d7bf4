#include "finding_text.h"

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
  const std::string text = format_bytes(found.largest_bytes);
  return sizes_differ(found) ? "up to " + text : text;
}

/// After "the" or "the same".
std::string those_bytes(const EngineFinding& found) {
  const std::string text = format_bytes(found.largest_bytes);
  return sizes_differ(found) ? "bytes, up to " + text + " at a time," : text;
}

const char* why_unused(Reason reason) {
  switch (reason) {
    case Reason::kOverwritten:
      return "all of it is overwritten before anything there could read it";
    case Reason::kFreed: return "its buffer is freed before anything there could read it";
    case Reason::kNobodyLooked:
      return "nothing reads it before it is overwritten or freed, or the program ends";
    default: return "nothing there could read it before the program ended";
  }
}

const char* what_the_host_does(Reason reason) {
  switch (reason) {
    case Reason::kHostReads: return "reads";
    case Reason::kHostWrites: return "writes";
    default: return "touches";
  }
}

const char* use_of_freed(const EngineFinding& found) {
  switch (found.reason) {
    case Reason::kCopiedToFreed: return "is copied to after it was freed";
    case Reason::kCopiedFromFreed: return "is copied from after it was freed";
    case Reason::kFilledFreed: return "is filled after it was freed";
    case Reason::kHostTouchesFreed: return "is touched by host code after it was freed";
    case Reason::kLaunchedOnFreed: return "is given to a kernel after it was freed";
    case Reason::kReusedPending:
      return found.of_kernel ? "was given back and is used again while a kernel or graph may still "
                               "use it"
                             : "was given back and is used again while an asynchronous copy may "
                               "still use it";
    case Reason::kFreedPending:
      return found.of_kernel ? "is freed while a kernel or graph may still use it"
                             : "is freed while an asynchronous copy may still use it";
    default: return "is freed again";
  }
}

const char* who_is_early(Reason reason, Confidence confidence) {
  switch (reason) {
    case Reason::kCopiedPending: return "a copy on another stream reads";
    case Reason::kOverwrittenPending: return "a copy or fill on another stream overwrites";
    case Reason::kLaunchedPending:
      return confidence == Confidence::kProven ? "a kernel on another stream reads"
                                               : "a kernel on another stream is given";
    case Reason::kHostWritesPending: return "the host writes";
    case Reason::kSourceOverwritten: return "a copy or fill on another stream writes";
    case Reason::kSourceChanged: return "the program writes";
    case Reason::kLaunchedOver:
      return confidence == Confidence::kProven ? "a kernel on another stream writes"
                                               : "a kernel on another stream may write";
    default: return "the host touches";
  }
}

const char* why_needless(Reason reason) {
  switch (reason) {
    case Reason::kNothingUnderWay: return "which is idle";
    case Reason::kLookedAtLater: return "but reads none of the results before it waits again";
    default: return "but none of its results reach the host before it waits again";
  }
}

const char* what_waits(Reason reason) {
  return reason == Reason::kUploadWaits ? "a synchronous copy to" : "freeing memory of";
}

const char* held_how(Reason reason) {
  switch (reason) {
    case Reason::kStagedUpload: return "the host waits while the driver copies it to a buffer";
    case Reason::kWaitingDownload: return "the host waits until the bytes are there";
    case Reason::kHeldElsewhere: return "another buffer there already holds them";
    case Reason::kFreedUnchanged: return "an identical copy had just been freed";
    case Reason::kSentAgain: return "they did not change on the host";
    case Reason::kDownloadedBefore: return "they did not change since they were last copied";
    default: return "it still has them";
  }
}

}  // namespace

Severity severity_of(const EngineFinding& found) {
  constexpr std::uint64_t kInEachStep = 3;
  const bool waits_in_each_step =
      found.reason == Reason::kWaitingDownload && found.cost.count >= kInEachStep;
  return waits_in_each_step ? Severity::kWarning : info(found.rule).severity;
}

const char* about_the_other(const EngineFinding& found) {
  switch (found.reason) {
    case Reason::kHeldAlready:
    case Reason::kHeldElsewhere:
    case Reason::kFreedUnchanged:
    case Reason::kSentAgain:
    case Reason::kDownloadedBefore: return "the earlier copy is here";
    case Reason::kSentAndReturned: return "uploaded here";
    case Reason::kReturnedInPlace:
    case Reason::kReturnedElsewhere: return "downloaded here";
    case Reason::kOverwritten: return "overwritten here";
    case Reason::kFreed: return "freed here";
    case Reason::kNothingToSee:
    case Reason::kLookedAtLater: return "the next wait is here";
    case Reason::kHostReads:
    case Reason::kHostWrites:
    case Reason::kHostTouches:
    case Reason::kMemoryOfOther: return "allocated here";
    case Reason::kFreedPending:
    case Reason::kReusedPending:
    case Reason::kHostReadsPending:
    case Reason::kCopiedPending:
    case Reason::kOverwrittenPending:
    case Reason::kLaunchedPending:
    case Reason::kHostWritesPending:
    case Reason::kSourceOverwritten:
    case Reason::kLaunchedOver:
      return found.of_kernel ? "it is launched here" : "the copy begins here";
    case Reason::kCopiedToFreed:
    case Reason::kCopiedFromFreed:
    case Reason::kFilledFreed:
    case Reason::kHostTouchesFreed:
    case Reason::kLaunchedOnFreed:
    case Reason::kFreedTwice:
    case Reason::kSameSizeAgain: return "freed here";
    default: return "";
  }
}

namespace {

std::string of_the_other(const EngineFinding& found) {
  const std::string other = device_name(found.source_device);
  if (found.reason == Reason::kStreamOfOther) return "is launched on a stream of " + other;
  return "gets memory of " + other + ", which it cannot access";
}

std::string why(const EngineFinding& found) {
  switch (found.rule) {
    case Rule::kHostAccess: return what_the_host_does(found.reason);
    case Rule::kUseAfterFree: return use_of_freed(found);
    case Rule::kReadBeforeSync:
    case Rule::kAsyncSourceReuse: return who_is_early(found.reason, found.confidence);
    case Rule::kWrongCurrentDevice: return of_the_other(found);
    case Rule::kNeedlessSync: return why_needless(found.reason);
    case Rule::kHiddenSync: return what_waits(found.reason);
    case Rule::kSmallCopies:
      return found.reason == Reason::kOneCopy ? "one copy" : "one strided copy";
    default: return why_unused(found.reason);
  }
}

std::string way(const EngineFinding& found) {
  return found.device < 0 ? "from " + device_name(found.source_device)
                          : "to " + device_name(found.device);
}

/// That still uses memory.
std::string work(const EngineFinding& found) {
  if (found.of_kernel) return "a kernel or graph on " + device_name(found.device);
  switch (found.reason) {
    case Reason::kHostWritesPending:
    case Reason::kSourceOverwritten:
    case Reason::kSourceChanged:
    case Reason::kLaunchedOver:
      return "an asynchronous copy of " + each_bytes(found) + " " + way(found);
    default: return "an asynchronous copy " + way(found);
  }
}

}  // namespace

std::string message_of(const EngineFinding& found) {
  // A trip is described from its start.
  const bool from_host = found.reason == Reason::kSentAndReturned;
  const std::string home = from_host ? device_name(-1) : device_name(found.device);
  const std::string away = from_host ? device_name(found.source_device) : device_name(-1);
  const bool trip = found.rule == Rule::kRoundTrip;
  return format_message(info(found.rule).run_message,
                        {{"bytes", each_bytes(found)},
                         {"those_bytes", those_bytes(found)},
                         {"are", found.largest_bytes == 1 ? "is" : "are"},
                         {"device", trip ? home : device_name(found.device)},
                         {"via", away},
                         {"held", held_how(found.reason)},
                         {"why", why(found)},
                         {"way", way(found)},
                         {"work", work(found)},
                         {"count", std::to_string(found.cost.count)},
                         {"times", times(found.cost.count)}});
}

}  // namespace xfer
