#include "nccl/communicator.h"

#include <cstring>
#include <map>
#include <set>

#include "machine/say.h"

namespace xfer::emulated_nccl {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

struct Handles {
  std::mutex mutex;
  std::map<ncclComm_t, CommunicatorPtr> by_handle;
  std::set<std::uint64_t> aborted;
};

Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

// Programs read it when they like, so it is in one place, as NCCL's is.
std::mutex last_error_mutex;
char last_error_text[1024];

}  // namespace

Communicator::Communicator(std::shared_ptr<Meeting> meeting, std::uint32_t rank, int device)
    : meeting_(std::move(meeting)), rank_(rank), device_(device), number_(next_number()) {}

Communicator::~Communicator() { leave(); }

void Communicator::set_presence(Presence presence) {
  Presence there = Presence::kThere;
  if (me().presence.compare_exchange_strong(there, presence)) meeting_->changed();
}

void Communicator::fail(ncclResult_t result, const std::string& why) {
  set_last_error(why);
  if (!meeting_->fail(result, why)) return;
  emulator::say("xfercheck: NCCL, rank {} of {} on emulated cuda:{}: {}\n", rank_, ranks(), device_,
                why);
}

ncclResult_t Communicator::error() const {
  const Failure& failure = meeting_->failure();
  return failure.state == 2 ? static_cast<ncclResult_t>(failure.result) : ncclSuccess;
}

void Communicator::abort() {
  aborted_ = true;
  set_presence(Presence::kAborted);
}

ncclRedOp_t Communicator::add(const ScaledSum& sum) {
  const std::lock_guard lock(mutex_);
  std::size_t index = 0;
  while (index < sums_.size() && sums_[index]) ++index;
  if (index == sums_.size()) sums_.emplace_back();
  sums_[index] = sum;
  return static_cast<ncclRedOp_t>(ncclNumOps + index);
}

bool Communicator::remove(ncclRedOp_t op) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(op) - ncclNumOps;
  if (op < ncclNumOps || index >= sums_.size() || !sums_[index]) return false;
  sums_[index].reset();
  return true;
}

std::optional<ScaledSum> Communicator::find(ncclRedOp_t op) const {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(op) - ncclNumOps;
  return op < ncclNumOps || index >= sums_.size() ? std::nullopt : sums_[index];
}

ncclComm_t publish(CommunicatorPtr communicator) {
  const auto handle = reinterpret_cast<ncclComm_t>(communicator.get());
  const std::lock_guard lock(handles().mutex);
  handles().by_handle[handle] = std::move(communicator);
  return handle;
}

CommunicatorPtr find(ncclComm_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().by_handle.find(handle);
  return found == handles().by_handle.end() ? nullptr : found->second;
}

CommunicatorPtr find_to_run(std::uint64_t number) {
  const std::lock_guard lock(handles().mutex);
  for (const auto& [handle, communicator] : handles().by_handle)
    if (communicator->number() == number) return communicator;
  if (!handles().aborted.contains(number))
    emulator::say(
        "xfercheck: an operation of NCCL runs after its communicator was destroyed: it does "
        "nothing\n");
  return nullptr;
}

CommunicatorPtr take(ncclComm_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().by_handle.find(handle);
  if (found == handles().by_handle.end()) return nullptr;
  CommunicatorPtr communicator = std::move(found->second);
  handles().by_handle.erase(found);
  if (communicator->is_aborted()) handles().aborted.insert(communicator->number());
  return communicator;
}

void set_last_error(const std::string& text) {
  const std::lock_guard lock(last_error_mutex);
  std::strncpy(last_error_text, text.c_str(), sizeof(last_error_text) - 1);
}

const char* last_error() { return last_error_text; }

}  // namespace xfer::emulated_nccl
