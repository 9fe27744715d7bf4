// AnyModule: a module of any class whose forward takes a tensor and gives one; and with a name.
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
    return call_(*module_, input, site);
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
  // A module of the library passes the line on to its operations; a user's has lines of its own.
  template <class T>
  static Tensor call(Module& module, const Tensor& input, CallSite site) {
    if constexpr (detail::forwards_call_site<T>::value) {
      return static_cast<T&>(module).forward(input, site);
    } else {
      return static_cast<T&>(module).forward(input);
    }
  }
  template <class T>
  static AnyModule wrap(std::shared_ptr<Module> module) {
    return AnyModule(std::static_pointer_cast<T>(std::move(module)));
  }

  std::shared_ptr<Module> module_;
  Tensor (*call_)(Module&, const Tensor&, CallSite) = nullptr;
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
