// TorchScript is not here. A ported program that uses it is told so, and what to do, by the
// compiler: the names exist for that alone.
#pragma once

#include <vector>

#include "tensorlib/device.h"
#include "tensorlib/ivalue.h"

namespace tensorlib {
namespace detail {

template <class...>
inline constexpr bool kHasTorchScript = false;
struct NoTorchScript {};

}  // namespace detail

#define TENSORLIB_NO_TORCH_SCRIPT(...)                                                        \
  static_assert(detail::kHasTorchScript<__VA_ARGS__>,                                         \
                "tensorlib runs no TorchScript (torch::jit): define the module in C++, save " \
                "its weights from Python with safetensors.torch.save_file, and read them "    \
                "with torch::load(module, path)")

namespace jit {
namespace script {

// Declared only, so that the one error is not followed by one for each use of a module.
class Module {
 public:
  template <class Unused = void>
  Module() {
    TENSORLIB_NO_TORCH_SCRIPT(Unused);
  }
  explicit Module(detail::NoTorchScript) {}
  IValue forward(std::vector<IValue> inputs);
  Tensor operator()(std::vector<IValue> inputs);
  void eval();
  void train(bool on = true);
  void to(Device device, bool non_blocking = false);
};

}  // namespace script

using script::Module;

template <class... Arguments>
Module load(const Arguments&...) {
  TENSORLIB_NO_TORCH_SCRIPT(Arguments...);
  return Module(detail::NoTorchScript{});
}
template <class... Arguments>
Module freeze(const Arguments&...) {
  TENSORLIB_NO_TORCH_SCRIPT(Arguments...);
  return Module(detail::NoTorchScript{});
}
template <class... Arguments>
Module optimize_for_inference(const Arguments&...) {
  TENSORLIB_NO_TORCH_SCRIPT(Arguments...);
  return Module(detail::NoTorchScript{});
}

}  // namespace jit

#undef TENSORLIB_NO_TORCH_SCRIPT

}  // namespace tensorlib
