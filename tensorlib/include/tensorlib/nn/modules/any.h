// AnyModule: a module of any class whose forward takes tensors and gives one; and with a name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tensorlib/nn/module_holder.h"

namespace tensorlib::nn {

class TENSORLIB_API AnyModule {
 public:
  AnyModule() = default;
  template <class T, std::enable_if_t<std::is_base_of_v<Module, T>, int> = 0>
  AnyModule(std::shared_ptr<T> module)
      : module_(std::move(module)), call_(&call<T>), wrap_(&wrap<T>) {}
  template <class T, std::enable_if_t<is_module_holder<T>, int> = 0>
  AnyModule(const T& holder) : AnyModule(holder.ptr()) {}
  template <class T, std::enable_if_t<std::is_base_of_v<Module, std::decay_t<T>>, int> = 0>
  AnyModule(T&& module) : AnyModule(std::make_shared<std::decay_t<T>>(std::forward<T>(module))) {}

  Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const {
    return call_(*module_, {&input, 1}, site);
  }
  // Of a module that takes several. An Error where forward does not take as many tensors.
  Tensor forward_all(ArrayRef<Tensor> inputs, CallSite site = CallSite::current()) const {
    return call_(*module_, inputs, site);
  }
  bool is_empty() const { return module_ == nullptr; }
  const std::shared_ptr<Module>& ptr() const { return module_; }
  // The module as what it is; std::bad_cast where it is none.
  template <class T>
  T& get() const {
    return dynamic_cast<T&>(*module_);
  }
  TENSORLIB_NODISCARD("the copy is the result")
  AnyModule clone(const std::optional<Device>& device = std::nullopt) const {
    return wrap_(module_->clone(device));
  }

 private:
  static constexpr size_t kMostInputs = 6;

  template <class T, class Void, class... Inputs>
  struct Takes : std::false_type {};
  template <class T, class... Inputs>
  struct Takes<T,
               std::enable_if_t<std::is_convertible_v<
                   decltype(std::declval<T&>().forward(std::declval<Inputs>()...)), Tensor>>,
               Inputs...> : std::true_type {};
  template <size_t>
  using OneTensor = const Tensor&;

  template <class T>
  static Tensor call(Module& module, ArrayRef<Tensor> inputs, CallSite site) {
    return call_of<T>(static_cast<T&>(module), inputs, site,
                      std::make_index_sequence<kMostInputs - 1>());
  }
  // With as many inputs as there are, of those that one more is for each of `More`.
  template <class T, size_t... More>
  static Tensor call_of(T& module, ArrayRef<Tensor> inputs, CallSite site,
                        std::index_sequence<More...>) {
    if (inputs.size() == sizeof...(More) + 1) {
      // A module of the library passes the line on to its operations; a user's has lines of its
      // own.
      if constexpr (sizeof...(More) == 0 && detail::forwards_call_site<T>::value) {
        return module.forward(inputs[0], site);
      } else if constexpr (detail::forwards_operand<T>::value) {
        if constexpr (Takes<T, void, const Operand&, OneTensor<More>...>::value) {
          return module.forward(Operand(inputs[0], site), inputs[More + 1]...);
        }
      } else if constexpr (Takes<T, void, const Tensor&, OneTensor<More>...>::value) {
        return module.forward(inputs[0], inputs[More + 1]...);
      }
    } else if constexpr (sizeof...(More) > 0) {
      return call_of(module, inputs, site, std::make_index_sequence<sizeof...(More) - 1>());
    }
    refuse(module, inputs.size(), site);
  }
  [[noreturn]] static void refuse(const Module& module, size_t inputs, CallSite site);
  template <class T>
  static AnyModule wrap(std::shared_ptr<Module> module) {
    return AnyModule(std::static_pointer_cast<T>(std::move(module)));
  }

  std::shared_ptr<Module> module_;
  Tensor (*call_)(Module&, ArrayRef<Tensor>, CallSite) = nullptr;
  AnyModule (*wrap_)(std::shared_ptr<Module>) = nullptr;
};

// What Sequential's list of named modules is made of: {"fc", Linear(4, 2)}.
class NamedAnyModule {
 public:
  template <class T>
  NamedAnyModule(std::string name, T&& module)
      : name_(std::move(name)), module_(std::forward<T>(module)) {}
  const std::string& name() const { return name_; }
  const AnyModule& module() const { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace tensorlib::nn
