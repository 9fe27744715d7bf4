// Calls of operators on CUDA tensors: see way.h.

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/AutogradState.h>
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <utility>

#include "machine/hooks.h"
#include "torch/composed.h"
#include "torch/generators.h"
#include "torch/on_device.h"
#include "torch/on_host.h"
#include "torch/operators.h"
#include "torch/work.h"

namespace xfer::emulated_torch {
namespace {

/// PyTorch's own kernel runs here, for what it allocates and checks: operators that it calls are
/// part of it.
thread_local bool is_within = false;

class Within {
 public:
  Within() : before_(std::exchange(is_within, true)) {}
  ~Within() { is_within = before_; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  const bool before_;
};

class DryLaunches {
 public:
  explicit DryLaunches(bool* has_read_back) : has_read_back_(has_read_back) {
    xfer_emulator_launch_dry(1);
  }
  ~DryLaunches() { *has_read_back_ = xfer_emulator_launch_dry(0) != 0; }
  DryLaunches(const DryLaunches&) = delete;
  DryLaunches& operator=(const DryLaunches&) = delete;

 private:
  bool* const has_read_back_;
};

/// An index is a mask: how much it picks, the device has to say.
bool is_masked(const Stack& arguments) {
  const auto is_mask = [](const c10::IValue& index) {
    return index.isTensor() && index.toTensor().defined() &&
           (index.toTensor().scalar_type() == at::kBool ||
            index.toTensor().scalar_type() == at::kByte);
  };
  return std::ranges::any_of(arguments, [&](const c10::IValue& argument) {
    return argument.isList() && std::ranges::any_of(argument.toListRef(), is_mask);
  });
}

/// The result is to have that format, which CUDA's own convolutions give only with cuDNN.
bool is_channels_last(const Stack& arguments) {
  return std::ranges::any_of(arguments, [](const c10::IValue& argument) {
    return argument.isTensor() && argument.toTensor().defined() &&
           argument.toTensor().suggest_memory_format() != at::MemoryFormat::Contiguous;
  });
}

class Call {
 public:
  Call(Operator& its, const c10::OperatorHandle& handle, c10::DispatchKeySet keys, Stack* stack)
      : its_(its),
        handle_(handle),
        keys_(keys),
        stack_(*stack),
        count_(handle.schema().arguments().size()),
        begin_(stack->size() - count_),
        arguments_(stack->begin() + static_cast<std::ptrdiff_t>(begin_), stack->end()),
        generator_(generator_on_host()),
        device_(device_of_arguments()),
        guard_(device_) {}

  void run() {
    switch (its_.way) {
      case Way::kAsItIs: return call_original();  // none of these is given another kernel
      case Way::kCopy:
        if (is_copy_of_cudas()) return call_original();
        break;
      case Way::kDownload: return download();
      case Way::kInstead: return instead();
      case Way::kIndex:
        if (is_masked(arguments_)) return download();
        break;
      case Way::kConvolution:
        if (is_channels_last(arguments_)) return instead();
        break;
      case Way::kBeside:
      case Way::kAtOnce: break;
    }
    if (!its_.original || its_.original_fails || !dry_original()) return instead();
    submit_beside();
  }

 private:
  c10::Device device_of_arguments() const;
  c10::IValue generator_on_host() const;
  void call_original() { its_.original->callBoxed(handle_, keys_, &stack_); }
  bool dry_original();
  bool gives_composed() const;
  void restore() {
    stack_.resize(begin_);
    stack_.insert(stack_.end(), arguments_.begin(), arguments_.end());
  }
  std::vector<c10::IValue> results() const {
    return {stack_.end() - static_cast<std::ptrdiff_t>(handle_.schema().returns().size()),
            stack_.end()};
  }
  /// With the results on the stack.
  std::optional<Touches> touches() const { return touches_of(handle_, arguments_, results()); }
  Stack on_host(OnHost& tensors) const;
  std::vector<HostResult> places(const OnHost& tensors) const;
  void submit_beside();
  bool is_copy_of_cudas() const;
  void download();
  void instead();
  cudaStream_t stream() const { return c10::cuda::getCurrentCUDAStream(device_.index()).stream(); }
  void wait() const { xfer_emulator_finish(stream()); }
  void compute_and_return();
  void change_composed(OnHost& tensors, const OnDevice& back) const;

  Operator& its_;
  const c10::OperatorHandle& handle_;
  const c10::DispatchKeySet keys_;
  Stack& stack_;
  const std::size_t count_;
  const std::size_t begin_;
  const Stack arguments_;
  const c10::IValue generator_;  ///< none: the default one
  const c10::Device device_;
  const c10::DeviceGuard guard_;
};

c10::Device Call::device_of_arguments() const {
  std::optional<c10::Device> named;
  for (const c10::IValue& argument : arguments_) {
    if (argument.isTensor() && is_cuda(argument.toTensor())) return argument.toTensor().device();
    if (argument.isTensorList())
      for (const at::Tensor& tensor : argument.toTensorVector())
        if (is_cuda(tensor)) return tensor.device();
    if (argument.isDevice() && argument.toDevice().is_cuda()) named = argument.toDevice();
  }
  return named && named->has_index() ? *named : c10::Device(at::kCUDA, c10::cuda::current_device());
}

c10::IValue Call::generator_on_host() const {
  for (const c10::IValue& argument : arguments_)
    if (argument.isGenerator())
      if (const auto generator = emulated_torch::on_host(argument.toGenerator())) return *generator;
  return {};
}

/// Whose parts the operator has computed itself, for which there was no launch.
bool Call::gives_composed() const {
  return std::ranges::any_of(results(), [](const c10::IValue& result) {
    return result.isTensor() && is_composed(result.toTensor());
  });
}

/// False: it cannot be, as a library of NVIDIA's is missing, or it goes on with what it reads back
/// of its own results.
bool Call::dry_original() {
  bool has_read_back = false;
  try {
    const Within within;
    const DryLaunches dry(&has_read_back);
    call_original();
  } catch (const std::exception& error) {
    if (!has_read_back && !is_of_missing_library(error.what())) throw;
    has_read_back = true;
  }
  if (!has_read_back && !gives_composed()) return true;
  if (has_read_back) its_.original_fails = true;
  restore();
  return false;
}

Stack Call::on_host(OnHost& tensors) const {
  Stack stack;
  stack.reserve(count_ + 4);
  for (const c10::IValue& argument : arguments_)
    stack.push_back(argument.isGenerator() ? generator_ : tensors.of(argument));
  return stack;
}

/// Where the results that PyTorch's own kernel made are.
std::vector<HostResult> Call::places(const OnHost& tensors) const {
  std::vector<HostResult> places;
  for (const at::Tensor& result : tensors_of(results())) {
    const auto is_same = [&](const auto& pair) { return pair.first.is_same(result); };
    if (std::ranges::any_of(tensors.all(), is_same) || !result.defined() || result.numel() == 0)
      places.emplace_back();
    else if (!is_on_device(result))
      places.push_back({its_.own && result.is_cpu() ? result : at::Tensor()});
    else
      places.push_back({OnHost().of(result), !tensors.uses_memory_of(result)});
  }
  return places;
}

void Call::submit_beside() {
  OnHost tensors;
  Stack stack = on_host(tensors);
  Work work{&its_, handle_, std::move(stack), places(tensors)};
  if (its_.way == Way::kAtOnce && xfer_emulator_is_captured(stream()) == 0) {
    wait();
    work.run();
    work.is_done = true;
  }
  submit(std::move(work), device_, touches());
}

/// PyTorch has CUDA copy all of it, or calls copy_ again for what a kernel has to do.
bool Call::is_copy_of_cudas() const {
  const at::Tensor& to = arguments_[0].toTensor();
  const at::Tensor& from = arguments_[1].toTensor();
  if (!is_on_device(to) || !is_on_device(from) || to.device() != from.device()) return true;
  const bool is_dense = to.is_non_overlapping_and_dense() && to.strides() == from.strides();
  return is_dense && to.sizes() == from.sizes() && to.dtype() == from.dtype() &&
         to.is_conj() == from.is_conj() && to.is_neg() == from.is_neg();
}

/// A device would tell the host how large the result is.
void Call::download() {
  check_devices(its_.name, arguments_);
  {
    const Within within;
    at::empty({1}, at::TensorOptions().dtype(at::kLong).device(device_)).item();
  }
  compute_and_return();
}

void Call::instead() {
  check_devices(its_.name, arguments_);
  wait();
  compute_and_return();
}

/// Results are made as large as they turn out to be.
void Call::compute_and_return() {
  OnHost tensors;
  const OnDevice back(tensors, device_);
  Stack stack = on_host(tensors);
  const auto& schema = handle_.schema().arguments();
  std::vector<std::pair<at::Tensor, at::Tensor>> outputs;  // on the device, on the host
  for (std::size_t i = 0; i < count_; ++i) {
    if (!schema[i].is_out() || !stack[i].isTensor()) continue;
    const at::Tensor& output = arguments_[i].toTensor();
    if (is_composed(output)) continue;
    outputs.emplace_back(output, at::empty({0}, output.options().device(at::kCPU)));
    stack[i] = outputs.back().second;
  }
  compute(its_, handle_, &stack);
  change_composed(tensors, back);
  for (const auto& [on_device, on_host] : outputs) {
    if (on_device.sizes() != on_host.sizes()) on_device.resize_(on_host.sizes());
    write(on_device, on_host);
  }
  stack_.resize(begin_);
  for (const c10::IValue& result : stack) {
    const auto output = std::find_if(outputs.begin(), outputs.end(), [&](const auto& pair) {
      return result.isTensor() && pair.second.is_same(result.toTensor());
    });
    stack_.push_back(output != outputs.end() ? c10::IValue(output->first) : back.of(result));
  }
  // A watcher sees that a kernel has done it.
  submit({.its = &its_, .handle = handle_, .is_done = true}, device_, touches());
}

/// Sparse arguments that the call has changed are on the host what they are to be on the device.
void Call::change_composed(OnHost& tensors, const OnDevice& back) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const auto* const alias = handle_.schema().arguments()[i].alias_info();
    if (alias == nullptr || !alias->isWrite() || !arguments_[i].isTensor()) continue;
    const at::Tensor& argument = arguments_[i].toTensor();
    if (is_cuda(argument) && is_composed(argument))
      become(argument, tensors.of(argument), [&](const at::Tensor& part) { return back.of(part); });
  }
}

/// The thread's backward passes run in it, as they do on the CPU: a device's thread beside it would
/// have threads of its own for the CPU's kernels, so many in all that OpenMP has each sleep between
/// two kernels. A program can still ask for it.
void keep_backward_here() {
  thread_local const bool once = [] {
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

void call(Operator& its, const c10::OperatorHandle& handle, c10::DispatchKeySet keys,
          Stack* stack) {
  if (its.answer) {
    stack->resize(stack->size() - handle.schema().arguments().size());
    stack->emplace_back(*its.answer);
    return;
  }
  keep_backward_here();
  if (is_within && its.original) return its.original->callBoxed(handle, keys, stack);
  if (xfer_emulator_missing_byte() >= 0) fill_new_tensors();
  if (!its.is_computed(handle)) {
    tell_not_computed(its, "PyTorch has no CPU kernel for it");
    its.original->callBoxed(handle, keys, stack);
    return fill_missing(
        {stack->end() - static_cast<std::ptrdiff_t>(handle.schema().returns().size()),
         stack->end()});
  }
  Call(its, handle, keys, stack).run();
}

}  // namespace xfer::emulated_torch
