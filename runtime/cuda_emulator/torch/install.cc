// libxfer_torch-MAJOR.MINOR.so: makes PyTorch's operators compute on emulated devices. Their
// kernels come as machine code, which no emulated device runs. Each operator that has a kernel for
// CUDA gets another one here, which lets PyTorch's own allocate and check, and has its kernel for
// the CPU compute on the device's memory.

#include <ATen/Context.h>
#include <torch/library.h>

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "machine/hooks.h"
#include "torch/operators.h"
#include "torch/own_kernels.h"
#include "torch/result_memory.h"

namespace xfer::emulated_torch {
namespace {

struct Kernel : c10::OperatorKernel {
  explicit Kernel(Operator* operator_of) : its(operator_of) {}
  void operator()(const c10::OperatorHandle& handle, c10::DispatchKeySet keys, c10::Stack* stack) {
    call(*its, handle, keys, stack);
  }
  Operator* its;
};

std::string full_name(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// Composite, but better computed as a whole.
bool is_computed_as_a_whole(std::string_view name) {
  return name == "aten::convolution" || name == "aten::convolution_backward" ||
         name == "aten::copy_";
}

bool is_left_alone(std::string_view name) {
  return has(name, "_sparse_semi_structured") || way_of(name) == Way::kAsItIs;
}

using Key = c10::DispatchKey;

torch::Library& library_of(const std::string& name, Key key) {
  static std::map<std::pair<std::string, Key>, torch::Library*> libraries;
  const std::string space = name.substr(0, name.find("::"));
  torch::Library*& library = libraries[{space, key}];
  if (library == nullptr)
    library = new torch::Library(torch::Library::IMPL, space, key, __FILE__, __LINE__);
  return *library;
}

struct Layout {
  Key key;
  Key on_host;
};
constexpr Layout kDense{Key::CUDA, Key::CPU};
constexpr std::array<Layout, 3> kComposed{{{Key::SparseCUDA, Key::SparseCPU},
                                           {Key::SparseCsrCUDA, Key::SparseCsrCPU},
                                           {Key::NestedTensorCUDA, Key::NestedTensorCPU}}};

void add(const c10::OperatorHandle& handle, const std::string& name, Layout layout) {
  auto* const its = new Operator{.name = name, .way = way_of(name), .on_host = layout.on_host};
  if (layout.key != kDense.key) its->way = Way::kInstead;
  if (layout.key == kDense.key) its->own = own_kernel(name);
  // The mathematics that every device has, in place of fused kernels for GPUs.
  if (name == "aten::_fused_sdp_choice") its->answer = 0;
  its->original.emplace(handle.getComputedKernelForDispatchKey(layout.key));
  library_of(name, layout.key)
      .impl(name.substr(name.find("::") + 2).c_str(),
            torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(its)));
}

/// PyTorch warns where a kernel takes the place of another one, which is what is wanted here.
struct NoWarnings : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

void add_new_operators() {
  NoWarnings none;
  const c10::WarningUtils::WarningHandlerGuard quiet(&none);
  static std::map<std::string, bool> known;
  for (const c10::OperatorName& short_name : c10::Dispatcher::singleton().getAllOpNames()) {
    const std::string name = full_name(short_name);
    if (!name.starts_with("aten::") && !name.starts_with("torchvision::")) continue;
    const auto handle = c10::Dispatcher::singleton().findSchema(short_name);
    if (!handle || known.count(name) != 0) continue;
    if (is_computed_of_parts(short_name.name))
      for (const Layout layout : kComposed)
        if (handle->hasKernelForDispatchKey(layout.key)) {
          known[name] = true;
          add(*handle, name, layout);
        }
    if (is_left_alone(name)) continue;
    const bool is_direct = handle->hasKernelForDispatchKey(c10::DispatchKey::CUDA);
    if (!is_direct && !is_computed_as_a_whole(name)) continue;
    known[name] = true;
    add(*handle, name, kDense);
  }
}

}  // namespace

void tell_not_computed(const Operator& its, std::string_view why) {
  const std::string reason(why.substr(0, why.find('\n')));
  xfer_emulator_count_failed(its.name.c_str(), reason.c_str());
  if (its.told.exchange(true)) return;
  const std::string line = its.name + " is not computed on emulated devices, its result reads as " +
                           (xfer_emulator_missing_byte() > 0 ? "NaN: " : "zeros: ") + reason;
  xfer_emulator_say(line.c_str());
}

}  // namespace xfer::emulated_torch

extern "C" __attribute__((visibility("default"))) void xfer_torch_compute() try {
  static const bool once = [] {
    at::globalContext().setUserEnabledCuDNN(false);
    at::globalContext().setSDPUseFlash(false);
    at::globalContext().setSDPUseMemEfficient(false);
    at::globalContext().setSDPUseCuDNN(false);
    return true;
  }();
  static_cast<void>(once);
  xfer::emulated_torch::install_result_memory();
  xfer::emulated_torch::add_new_operators();
} catch (const std::exception& error) {
  xfer_emulator_say((std::string("PyTorch's operators are skipped: ") + error.what()).c_str());
}
