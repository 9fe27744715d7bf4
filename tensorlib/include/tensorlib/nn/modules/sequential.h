// Sequential: modules called one after the other, each with the tensor that the one before gave.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tensorlib/nn/modules/any.h"
#include "tensorlib/ops.h"

namespace tensorlib::nn {

// A function as a module: Functional(torch::relu), or Functional(torch::max_pool2d, 3, 2) with
// what stands behind the input.
class TENSORLIB_API FunctionalImpl : public Module {
 public:
  using Function = std::function<Tensor(const Tensor&)>;
  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  // An operation of the library, which takes the call site too.
  explicit FunctionalImpl(Tensor (*operation)(const Tensor&, CallSite))
      : function_([operation](const Tensor& input) { return operation(input, CallSite::none()); }) {
  }
  template <class Operation, class... Behind, std::enable_if_t<(sizeof...(Behind) > 0), int> = 0>
  explicit FunctionalImpl(Operation operation, Behind... behind)
      : function_([operation, behind...](const Tensor& input) -> Tensor {
          if constexpr (std::is_invocable_v<Operation, const Tensor&, const Behind&..., CallSite>) {
            return operation(input, behind..., CallSite::none());
          } else {
            return operation(input, behind...);
          }
        }) {}
  Tensor forward(const Tensor& input) const { return function_(input); }
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

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
                                   std::is_base_of_v<Module, std::decay_t<Modules>>) &&
                                  ...),
                             int> = 0>
  explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  // {{"fc", Linear(4, 2)}, {"act", ReLU()}}
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
    for (const NamedAnyModule& module : modules) push_back(module.name(), module.module());
  }

  void push_back(std::string name, AnyModule module);
  void push_back(AnyModule module) { push_back(std::to_string(size()), std::move(module)); }

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
  TENSORLIB_CLONE;

 protected:
  void clone_(const Module& source, const std::optional<Device>& device) override;

 private:
  std::vector<std::shared_ptr<Module>> modules_;
  std::vector<AnyModule> calls_;
};

class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using ContainedImpl [[maybe_unused]] = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> modules)
      : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

}  // namespace tensorlib::nn
