#include "scope_names.h"

#include <pthread.h>

#include <mutex>
#include <new>

namespace xfer::tracer {
namespace {

struct OfProcess {
  std::atomic<ScopeNames*> scopes{new ScopeNames};
  std::atomic<ScopeNames*> handles{new ScopeNames};
};

OfProcess& of_process() {
  static OfProcess* const names = [] {
    auto* const made = new OfProcess;
    pthread_atfork(nullptr, nullptr, [] {
      for (auto* const which : {&of_process().scopes, &of_process().handles})
        if (auto* const fresh = new (std::nothrow) ScopeNames) which->store(fresh);
    });
    return made;
  }();
  return *names;
}

}  // namespace

ScopeNames& ScopeNames::all() { return *of_process().scopes.load(std::memory_order_acquire); }
ScopeNames& ScopeNames::handles() { return *of_process().handles.load(std::memory_order_acquire); }

ScopeNames::Name* ScopeNames::find(std::string_view text, std::size_t most) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = names_.find(text); known != names_.end()) return &*known;
    if (names_.size() >= most) return nullptr;
  }
  const std::lock_guard lock(mutex_);
  return &*names_.try_emplace(std::string(text)).first;
}

void ScopeNames::for_each(const std::function<void(const Name&)>& see) const {
  const std::shared_lock lock(mutex_);
  for (const Name& name : names_) see(name);
}

}  // namespace xfer::tracer
