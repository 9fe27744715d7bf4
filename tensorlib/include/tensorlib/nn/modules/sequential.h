// Sequential: modules called one after the other, each with the tensor that the one before gave.
#pragma once

#include <functional>
#include <vector>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/ops.h"

namespace tensorlib::nn {

// A function as a module: Functional(torch::relu).
class TENSORLIB_API FunctionalImpl : public Module {
 public:
  using Function = std::function<Tensor(const Tensor&)>;
  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  // An operation of the library, which takes the call site too.
  explicit FunctionalImpl(Tensor (*operation)(const Tensor&, CallSite))
      : function_([operation](const Tensor& input) { return operation(input, CallSite::none()); }) {
  }
  Tensor forward(const Tensor& input) const { return function_(input); }

 private:
  Function function_;
};
TENSORLIB_MODULE(Functional);

class TENSORLIB_API SequentialImpl : public Module {
 public:
  SequentialImpl() = default;
  template <class... Modules,
            std::enable_if_t<(sizeof...(Modules) > 0) &&
                                 ((is_module_holder<Modules> ||
                                   std::is_base_of_v<Module, std::decay_t<Modules>>)&&...),
                             int> = 0>
  explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  template <class T>
  void push_back(std::string name, std::shared_ptr<T> module) {
    register_module(std::move(name), module);
    calls_.push_back([raw = module.get()](const Tensor& input, CallSite site) -> Tensor {
      // A module of the library passes the line on to its operations; a user's has lines of its
      // own.
      if constexpr (detail::forwards_call_site<T>::value) {
        return raw->forward(input, site);
      } else {
        return raw->forward(input);
      }
    });
    modules_.push_back(std::move(module));
  }
  template <class T, std::enable_if_t<std::is_base_of_v<Module, T>, int> = 0>
  void push_back(std::shared_ptr<T> module) {
    push_back(std::to_string(size()), std::move(module));
  }
  template <class T, std::enable_if_t<is_module_holder<T>, int> = 0>
  void push_back(const T& holder) {
    push_back(holder.ptr());
  }
  template <class T, std::enable_if_t<is_module_holder<T>, int> = 0>
  void push_back(std::string name, const T& holder) {
    push_back(std::move(name), holder.ptr());
  }
  template <class T, std::enable_if_t<std::is_base_of_v<Module, std::decay_t<T>>, int> = 0>
  void push_back(T&& module) {
    push_back(std::make_shared<std::decay_t<T>>(std::forward<T>(module)));
  }

  Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  size_t size() const { return modules_.size(); }
  bool is_empty() const { return modules_.empty(); }
  const std::shared_ptr<Module>& operator[](size_t i) const { return modules_.at(i); }
  const std::shared_ptr<Module>& ptr(size_t i) const { return modules_.at(i); }
  // The module as what it is; std::bad_cast where it is none.
  template <class T>
  T& at(size_t i) const {
    return dynamic_cast<T&>(*modules_.at(i));
  }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }
  void pretty_print(std::ostream& out) const override;

 private:
  std::vector<std::shared_ptr<Module>> modules_;
  std::vector<std::function<Tensor(const Tensor&, CallSite)>> calls_;
};
TENSORLIB_MODULE(Sequential);

}  // namespace tensorlib::nn
