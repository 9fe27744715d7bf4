#include "torch/result_memory.h"

#include <c10/core/CPUAllocator.h>

#include <algorithm>

#include "machine/hooks.h"

namespace xfer::emulated_torch {
namespace {

thread_local ResultMemory* current = nullptr;

c10::DeleterFnPtr delete_other = nullptr;

/// The places stay: they are the device's.
void release(void* data) {
  if (xfer_emulator_is_kernel_view(data) == 0) delete_other(data);
}

class Allocator final : public c10::Allocator {
 public:
  explicit Allocator(c10::Allocator* below) : below_(below) { delete_other = below->raw_deleter(); }
  c10::DataPtr allocate(std::size_t bytes) override {
    if (current != nullptr)
      if (void* const place = current->take(bytes))
        return {place, place, &release, c10::Device(c10::kCPU)};
    return below_->allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    below_->copy_data(to, from, bytes);
  }

 private:
  c10::Allocator* const below_;
};

}  // namespace

ResultMemory::ResultMemory(const std::vector<HostResult>& places) : before_(current) {
  for (const HostResult& place : places) {
    const at::Tensor& tensor = place.tensor;
    if (!place.is_alone || tensor.numel() == 0 || !tensor.is_non_overlapping_and_dense()) continue;
    void* const data = tensor.mutable_data_ptr();
    if (std::ranges::find(ranges_, data, &Range::data) == ranges_.end())
      ranges_.push_back({data, tensor.nbytes(), false});
  }
  current = this;
}

void ResultMemory::close() {
  if (std::exchange(is_open_, false)) current = before_;
}

bool ResultMemory::holds(const at::Tensor& result) const {
  const auto* const data = static_cast<const char*>(result.storage().data());
  return std::ranges::any_of(ranges_, [&](const Range& range) {
    const auto* const begin = static_cast<const char*>(range.data);
    return range.is_taken && begin <= data && data < begin + range.bytes;
  });
}

void* ResultMemory::take(std::size_t bytes) {
  for (Range& range : ranges_)
    if (range.bytes == bytes && !std::exchange(range.is_taken, true)) return range.data;
  return nullptr;
}

void install_result_memory() {
  static const bool once = [] {
    c10::SetCPUAllocator(new Allocator(c10::GetCPUAllocator()));
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace xfer::emulated_torch
