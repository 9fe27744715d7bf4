// ModuleList: modules in a row that a module owns, to be called as it likes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tensorlib/nn/module_holder.h"

namespace tensorlib::nn {

class TENSORLIB_API ModuleListImpl : public Module {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;

  ModuleListImpl() = default;
  void pretty_print(std::ostream& out) const override { out << "tensorlib::nn::ModuleList"; }
  template <class... Modules,
            std::enable_if_t<(sizeof...(Modules) > 0) &&
                                 ((is_module_holder<Modules> ||
                                   std::is_base_of_v<Module, std::decay_t<Modules>>) &&
                                  ...),
                             int> = 0>
  explicit ModuleListImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  void push_back(std::shared_ptr<Module> module) {
    register_module(std::to_string(size()), module);
    modules_.push_back(std::move(module));
  }
  template <class T>
  void push_back(const ModuleHolder<T>& holder) {
    push_back(std::shared_ptr<Module>(holder.ptr()));
  }
  template <class T, std::enable_if_t<std::is_base_of_v<Module, std::decay_t<T>>, int> = 0>
  void push_back(T&& module) {
    push_back(std::shared_ptr<Module>(std::make_shared<std::decay_t<T>>(std::forward<T>(module))));
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  size_t size() const { return modules_.size(); }
  bool is_empty() const { return modules_.empty(); }
  std::shared_ptr<Module> operator[](size_t i) const { return modules_.at(i); }
  std::shared_ptr<Module> ptr(size_t i) const { return modules_.at(i); }
  // The module as what it is; std::bad_cast where it is none.
  template <class T>
  T& at(size_t i) const {
    return dynamic_cast<T&>(*modules_.at(i));
  }
  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  TENSORLIB_CLONE;

 protected:
  void clone_(const Module& source, const std::optional<Device>& device) override;

 private:
  std::vector<std::shared_ptr<Module>> modules_;
};
TENSORLIB_MODULE(ModuleList);

}  // namespace tensorlib::nn
