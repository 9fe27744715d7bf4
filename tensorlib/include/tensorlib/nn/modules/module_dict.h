// ModuleDict: modules by name that a module owns, to be called as it likes.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorlib/nn/module_holder.h"

namespace tensorlib::nn {

// Its elements are its parts, in the order in which they came: parameters(), to(), state dicts and
// printing see them under their keys. A key has no dot in it. An element that is taken out is no
// part any more, as in Python; LibTorch's stays registered.
class TENSORLIB_API ModuleDictImpl : public Module {
 public:
  using Element = std::pair<std::string, std::shared_ptr<Module>>;
  using Elements = OrderedDict<std::string, std::shared_ptr<Module>>;
  using ConstIterator = Elements::ConstIterator;
  using Iterator = ConstIterator;  // what an element is, update() and insert() change

  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<Element>& modules) { update(modules); }
  explicit ModuleDictImpl(const Elements& modules) { update(modules); }

  std::vector<Element> items() const { return children_.pairs(); }
  std::vector<std::string> keys() const { return children_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return children_.values(); }
  ConstIterator begin() const { return children_.begin(); }
  ConstIterator end() const { return children_.end(); }
  size_t size() const { return children_.size(); }
  bool empty() const { return children_.is_empty(); }
  bool contains(const std::string& key) const { return children_.contains(key); }

  // An Error that lists the keys where there is no such one.
  std::shared_ptr<Module> operator[](const std::string& key) const;
  // The module as what it is; std::bad_cast where it is none.
  template <class T>
  typename detail::Contained<T>::type& at(const std::string& key) const {
    return dynamic_cast<typename detail::Contained<T>::type&>(*(*this)[key]);
  }

  // A further element, or another one under the same key, in its place.
  void insert(const std::string& key, std::shared_ptr<Module> module);
  template <class T>
  void insert(const std::string& key, const ModuleHolder<T>& holder) {
    insert(key, std::shared_ptr<Module>(holder.ptr()));
  }
  void update(const std::vector<Element>& modules) {
    for (const auto& [key, module] : modules) insert(key, module);
  }
  // Of another ModuleDict, or of an OrderedDict of modules or holders.
  template <class Container>
  void update(const Container& container) {
    for (const auto& item : container) insert(item.key(), item.value());
  }
  // Takes an element out, or all.
  std::shared_ptr<Module> pop(const std::string& key);
  void clear() { children_.clear(); }

  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

 protected:
  void clone_(const Module& source, const std::optional<Device>& device) override;
};

class ModuleDict : public ModuleHolder<ModuleDictImpl> {
 public:
  using ModuleHolder<ModuleDictImpl>::ModuleHolder;
  using ContainedImpl [[maybe_unused]] = ModuleDictImpl;
  ModuleDict() = default;
  // ModuleDict layers({{"fc", Linear(4, 2).ptr()}, {"act", ReLU().ptr()}});
  ModuleDict(std::initializer_list<ModuleDictImpl::Element> modules)
      : ModuleHolder(
            std::make_shared<ModuleDictImpl>(std::vector<ModuleDictImpl::Element>(modules))) {}
};

}  // namespace tensorlib::nn
