#include "cudart/run_code.h"

#include <cstring>
#include <mutex>
#include <optional>
#include <span>

namespace xfer::emulator {
namespace {

/// Memory of the device, as much as there is.
class DeviceHeap final : public grid::Heap {
 public:
  DeviceHeap(Machine& machine, int device) : machine_(machine), device_(device) {}

  std::uintptr_t allocate(std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    const auto memory = machine_.memory().allocate(device_, bytes);
    if (memory) machine_.kernel_heap.insert(*memory);
    return memory.value_or(0);
  }
  void release(std::uintptr_t address) override {
    const std::lock_guard lock(mutex_);
    if (machine_.kernel_heap.erase(address) == 0) return;
    machine_.memory().release(address);
    machine_.touch_record().freed_by_kernel();
  }

 private:
  Machine& machine_;
  const int device_;
  std::mutex mutex_;  // of the threads that run the grid: one of them has the machine's
};

/// The structure that cooperative groups find by %envreg1 and 2: its size, and the barrier of the
/// grid (cooperative_groups/details/driver_abi.h).
class Workspace {
 public:
  static constexpr std::uint32_t kBytes = 64;

  Workspace(Machine& machine, int device)
      : memory_(machine.memory()), address_(memory_.allocate(device, kBytes)) {
    if (!address_) return;
    auto* const view = reinterpret_cast<std::byte*>(memory_.kernel_view(*address_));
    std::memset(view, 0, kBytes);
    std::memcpy(view, &kBytes, sizeof(kBytes));
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (address_) memory_.release(*address_);
  }

  std::optional<std::uintptr_t> address() const { return address_; }

 private:
  DeviceMemory& memory_;
  const std::optional<std::uintptr_t> address_;
};

}  // namespace

struct CodeRun::Parts {
  Parts(Machine& its_machine, int device, std::uint32_t its_correlation)
      : machine(its_machine), heap(machine, device), correlation(its_correlation) {}

  Machine& machine;
  DeviceHeap heap;
  const std::uint32_t correlation;
  std::span<const std::byte> parameters;  ///< of code that records what it touches
  bool tells_others = false;
  std::optional<Workspace> workspace;
  std::optional<grid::GridInParts> grid;  ///< nothing: it cannot run
  grid::Failure refusal;
};

CodeRun::CodeRun(Machine& machine, int device, grid::Launch launch, bool cooperative,
                 std::uint32_t correlation)
    : parts_(std::make_unique<Parts>(machine, device, correlation)) {
  static std::uint64_t grids = 0;
  if (cooperative) {
    parts_->workspace.emplace(machine, device);
    if (!parts_->workspace->address()) {
      parts_->refusal = {"there is not enough device memory for the grid's barrier"};
      return;
    }
    launch.workspace = *parts_->workspace->address();
  }
  launch.device_base = machine.memory().base();
  launch.device_span = machine.memory().span();
  launch.number = ++grids;
  launch.start_ns = machine.now();
  launch.heap = &parts_->heap;
  launch.seconds = machine.options().kernel_seconds;
  if (launch.code->records_touches) {
    launch.touches = &machine.touch_record().begin(machine.host_memory());
    parts_->parameters = {launch.parameters, launch.code->parameter_bytes};
    parts_->tells_others = launch.code->tells_others;
  }
  parts_->grid.emplace(launch);
}

CodeRun::~CodeRun() = default;

bool CodeRun::go_on(bool patient) {
  if (!parts_->grid) return true;
  const bool over = parts_->grid->go_on(patient);
  note_touches(over);
  return over;
}

void CodeRun::note_touches(bool over) {
  if (parts_->parameters.data() == nullptr) return;
  TouchRecord& record = parts_->machine.touch_record();
  // Other kernels may run before it goes on.
  if (!over) return record.give_up();
  record.finish(parts_->machine.memory(), failure().what.empty() ? parts_->correlation : 0,
                parts_->parameters, parts_->tells_others);
}

bool CodeRun::left_warps() const { return parts_->grid && parts_->grid->left_warps(); }

std::uint64_t CodeRun::work() const { return parts_->grid ? parts_->grid->work() : 0; }

const grid::Failure& CodeRun::failure() const {
  return parts_->grid ? parts_->grid->failure() : parts_->refusal;
}

}  // namespace xfer::emulator
