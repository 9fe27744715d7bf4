#pragma once
// The steps of a run: the scopes that come again and again with work of a device in them, as
// "ProfilerStep" and NVTX ranges do. Numbered scopes of one place have one name.
//
// Where scopes nest, a call's step is the one that comes most often ("step", not "epoch"); of those
// that come equally often, the outer one. So a scope around a copy alone is none.
//
// Cost: O(log n) a scope; a question O(names log n). Memory: 16 bytes a scope; scopes after the
// first kMost, and names after the first kMostNames, are not kept.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/busy_times.h"
#include "xfer/event.h"
#include "xfer/rules/finding.h"

namespace xfer {

/// Calls whose losses a detector keeps; later ones have no share of a step.
inline constexpr std::size_t kMostLosses = std::size_t{1} << 20;

/// What the program would win without a call, which the host began then.
struct Loss {
  std::uint64_t at_ns = 0;
  std::uint64_t ns = 0;
};

class Steps {
 public:
  using NameOf = std::function<std::string(std::uint32_t name)>;
  /// `name_of` gives a scope the name that all of its place have; empty: each number is a name.
  explicit Steps(NameOf name_of) : name_of_(std::move(name_of)) {}

  void see(const Event& event);
  /// To be called once, after the last event and before the questions.
  void settle();

  /// The losses' share of the steps that they are in. Where there are none: of the times from one
  /// of the line's `calls` calls to the next, the first and last of which began with `calls_span`.
  StepShare share(std::span<const Loss> losses, Span calls_span, std::uint64_t calls) const;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  static constexpr std::size_t kMostNames = 256;
  static constexpr std::size_t kLeastInstances = 2;

  struct Open {
    std::uint32_t name;
    std::uint64_t begin_ns;
    std::uint64_t work_before;
  };
  using Named = std::map<std::string, std::vector<Span>, std::less<>>;  ///< by begin

  void end(const Event& event);
  static const Span* around(const std::vector<Span>& instances, std::uint64_t ns);
  const Named::value_type* step_around(std::uint64_t ns) const;

  NameOf name_of_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Open> open_;  ///< by thread and scope
  Named named_;
  std::uint64_t work_ = 0;  ///< launches so far
  std::size_t kept_ = 0;
};

}  // namespace xfer
