#pragma once
// Call sites of an imported run: the scopes that a thread was in when it made a call. Scopes whose
// names differ in a number alone ("ProfilerStep#3", "batch 17") are one place, which keeps the name
// that came first.
//
// Cost: sorts the scopes once; a call costs O(scopes that began since the thread's last).

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "foreign/run.h"

namespace xfer::foreign {

class Places {
 public:
  /// Takes the scopes out of the run, whose texts and stacks it goes on to use.
  explicit Places(Run& run);

  /// Of one thread, the calls' times only grow. Launches of two kernels at one place are two sites,
  /// as the lines of a program are, which few traces tell: `launched` is the kernel's name, or 0.
  std::uint32_t site(const Call& call, std::uint32_t launched);

  /// The frames of a site, innermost first. Never empty for a site.
  std::vector<TracePythonFrame> frames(std::uint32_t site) const;

 private:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t name = 0;
    bool is_call = false;
    std::uint32_t stack = 0;  ///< of a call, as Call has it
    Scope::Kind kind = Scope::Kind::kOperator;
  };
  /// A thread on its way through its scopes.
  struct Thread {
    std::size_t next = 0, end = 0;                              ///< of scopes_
    std::vector<std::pair<std::uint64_t, std::uint32_t>> open;  ///< end, node
  };

  std::uint32_t child(const Node& node, std::uint32_t same_as);
  /// Of names of one place, one.
  std::uint32_t same_name(const Scope& scope);

  Run& run_;
  std::vector<Scope> scopes_;  ///< by thread, then by begin, outer ones first
  std::unordered_map<std::uint32_t, Thread> threads_;
  std::vector<Node> nodes_{Node{}};  ///< 0: outside of all scopes
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, std::uint32_t>, std::uint32_t> children_;
  std::unordered_map<std::uint32_t, std::uint32_t> same_names_;  ///< by name
};

}  // namespace xfer::foreign
