#include "thread_state.h"

#include <pthread.h>
#include <unistd.h>

#include <new>

#include "annotations.h"

namespace xfer::tracer {
namespace {

thread_local ThreadState* tls_state = nullptr;

void destroy(void* pointer) {
  auto* const state = static_cast<ThreadState*>(pointer);
  end_scopes(*state);
  tls_state = nullptr;
  delete state;
}

pthread_key_t state_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, destroy);
    return made;
  }();
  return key;
}

}  // namespace

ThreadState* thread_state_if_any() noexcept { return tls_state; }

ThreadState* thread_state() noexcept {
  if (tls_state == nullptr) {
    tls_state = new (std::nothrow) ThreadState;
    if (tls_state == nullptr) return nullptr;
    tls_state->thread = static_cast<std::uint32_t>(gettid());
    pthread_setspecific(state_key(), tls_state);
  }
  return tls_state;
}

}  // namespace xfer::tracer
