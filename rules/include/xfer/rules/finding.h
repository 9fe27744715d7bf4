#pragma once
// A finding: what every producer (analyzer, engine) fills in and every writer prints.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xfer/rules/rule.h"

namespace xfer {

/// How sure the producer is. The analyzer reports only what is certain; the engine's levels are
/// those of DESIGN: proven (the copy changed nothing, or nobody could have read it),
/// content-duplicate (the same bytes again while an earlier copy was there), look-alike (advice).
enum class Confidence { kCertain, kProven, kContentDuplicate, kLookAlike };

std::string_view name(Confidence confidence);

/// A place in source. An empty file means unknown; line and column count from 1, 0 is unknown.
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string function;

  friend bool operator==(const Location&, const Location&) = default;
};

struct Note {
  Location location;
  std::string message;
};

/// Replace `length` bytes of `file` from byte `offset` by `text`.
struct Replacement {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string text;
};

struct Fix {
  std::string description;
  std::vector<Replacement> replacements;
};

/// The measured cost: how often, how many bytes, nanoseconds of the calling thread and of the
/// device.
struct Cost {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t host_ns = 0;
  std::uint64_t device_ns = 0;
  /// Of host_ns, what the program would win without the calls: an estimate that leaves out waits
  /// which would only move to the next call that waits.
  std::uint64_t saving_ns = 0;
  /// The times are those of emulated devices: a model's, not a measurement.
  bool modelled = false;

  Cost& operator+=(const Cost& other) {
    count += other.count;
    bytes += other.bytes;
    host_ns += other.host_ns;
    device_ns += other.device_ns;
    saving_ns += other.saving_ns;
    modelled = modelled || other.modelled;
    return *this;
  }
};

/// What a finding costs of the part of the program that it comes again with.
struct StepShare {
  std::string name;  ///< of a scope; empty: from one of the line's calls to the next
  std::uint64_t count = 0;
  std::uint64_t ns = 0;         ///< of all of them
  std::uint64_t saving_ns = 0;  ///< of ns, what the program would win

  /// From 0 to 1.
  double share() const {
    return ns == 0 ? 0 : static_cast<double>(saving_ns) / static_cast<double>(ns);
  }
  StepShare& operator+=(const StepShare& other);
};

/// "Most costly first": what can be won, then the host's time, which a person waits for, then the
/// device's, the bytes, how often.
bool costs_more(const Cost& a, const Cost& b);

struct FirstSeen {
  std::uint64_t run = 0;  ///< which of the traced processes, in the order of the stats
  std::uint64_t ns = 0;   ///< since that one's first call
};

struct Finding {
  Rule rule{};
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kCertain;
  std::string message;
  Location location;
  std::vector<Note> notes;
  std::vector<Location> stack;  ///< innermost first; empty for findings in source
  std::optional<Fix> fix;
  std::optional<Cost> cost;
  std::optional<StepShare> step;
  std::vector<FirstSeen> first_seen;  ///< in each traced process that it was seen in
  std::string fingerprint;            ///< see fingerprint.h
};

/// One that was not measured costs less than any.
bool costs_more(const Finding& a, const Finding& b);

using MessageFields = std::vector<std::pair<std::string_view, std::string>>;

/// Fills a message template of rules.def. Throws std::invalid_argument for a field that is missing.
std::string format_message(std::string_view message_template, const MessageFields& fields);

}  // namespace xfer
