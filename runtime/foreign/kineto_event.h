#pragma once
// One event of Kineto's JSON: the members that a reader of copies and waits needs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "foreign/run.h"

namespace xfer::foreign {

/// Members of an event and of its "args".
enum class Member : std::uint8_t {
  kOther,
  kPhase,
  kCategory,
  kName,
  kThread,
  kBegin,
  kDuration,
  kArguments,
  kCorrelation,
  kStream,
  kDevice,
  kBytes,
  kSize,      ///< of a HIP call: bytes as a text
  kSyncKind,  ///< "Stream Sync"
  kEventStream,
  kEventRecord,
  kOperatorId,
};

/// By its name in the file.
Member member_named(std::string_view name);

struct KinetoEvent {
  char phase = 0;
  std::string category;
  std::string name;
  std::string sync_kind;
  std::string thread;
  std::uint64_t begin_ns = 0;
  std::uint64_t duration_ns = 0;
  std::uint64_t correlation = 0;
  std::uint64_t stream = kNoStream;
  std::uint64_t bytes = 0;
  std::uint64_t event_stream = kNoStream;
  std::int64_t event_record = kNoRecord;
  std::uint64_t operator_id = 0;
  std::int64_t device = 0;

  /// A text or a number, as it stands in the file. A value of the wrong type leaves the member.
  void set(Member member, std::string_view value);
  void clear();
};

/// Adds it to the run. Events that say nothing of copies, waits or their place are left out.
void add_to(Run& run, const KinetoEvent& event);

}  // namespace xfer::foreign
