#pragma once
// The names of scopes, each kept once and for ever: programs name scopes before there is a trace,
// and NVTX hands out its strings as handles. Thread-safe; to find a known name takes a shared lock.
// A forked child has new ones, since a thread that is not there may hold the lock of the old.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace xfer::tracer {

/// The trace's record of the scopes of one name.
struct ScopeUse {
  std::atomic<std::uint32_t> in_trace{0};   ///< the name as the trace has it; 0: it has not yet
  std::atomic<std::uint64_t> unwritten{0};  ///< scopes in which nothing was done: counted alone
};

class ScopeNames {
 public:
  using Name = std::pair<const std::string, ScopeUse>;

  /// The process's. Never destroyed.
  static ScopeNames& all();
  /// NVTX's domains and registered strings.
  static ScopeNames& handles();

  /// Null: it is new, and there are `most` others. May throw std::bad_alloc.
  Name* find(std::string_view text, std::size_t most = SIZE_MAX);
  void for_each(const std::function<void(const Name&)>& see) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, ScopeUse, Hash, std::equal_to<>> names_;  // each stays in place
};

/// Those that a thread used last, which it finds again without a lock.
class RecentNames {
 public:
  ScopeNames::Name* find(std::string_view text, std::size_t most = SIZE_MAX) {
    ScopeNames::Name*& here = names_[std::hash<std::string_view>()(text) % names_.size()];
    if (here != nullptr && here->first == text) return here;
    ScopeNames::Name* const found = ScopeNames::all().find(text, most);
    if (found != nullptr) here = found;
    return found;
  }

 private:
  std::array<ScopeNames::Name*, 16> names_{};
};

}  // namespace xfer::tracer
