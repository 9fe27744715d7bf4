// ModuleList, ModuleDict, ParameterList and ParameterDict.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

namespace {

[[noreturn]] void refuse_key(const char* container, const std::string& key,
                             const std::vector<std::string>& keys) {
  std::string there;
  for (const std::string& one : keys) there += (there.empty() ? "" : ", ") + one;
  throw Error(str_cat(container, ": there is no \"", key, "\"; ",
                      keys.empty() ? "it is empty" : "there are " + there),
              CallSite::none());
}

}  // namespace

// The copy's mode is set before its elements come: theirs are their own.
std::shared_ptr<Module> ModuleListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleListImpl>();
  copy->train(is_training());
  for (const auto& module : modules_) copy->push_back(module->clone(device));
  return copy;
}
void ModuleListImpl::clone_(const Module& source, const std::optional<Device>& device) {
  if (size() > 0) return Module::clone_(source, device);
  *this = *std::static_pointer_cast<ModuleListImpl>(source.clone(device));
}

std::shared_ptr<Module> ModuleDictImpl::operator[](const std::string& key) const {
  const auto* module = children_.find(key);
  if (module == nullptr) refuse_key("ModuleDict", key, keys());
  return *module;
}
void ModuleDictImpl::insert(const std::string& key, std::shared_ptr<Module> module) {
  if (contains(key)) {
    replace_module(key, std::move(module));
  } else {
    register_module(key, std::move(module));
  }
}
std::shared_ptr<Module> ModuleDictImpl::pop(const std::string& key) {
  std::shared_ptr<Module> module = (*this)[key];
  unregister_module(key);
  return module;
}
void ModuleDictImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::ModuleDict"; }
std::shared_ptr<Module> ModuleDictImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleDictImpl>();
  copy->train(is_training());
  for (const auto& item : children_) copy->insert(item.key(), item.value()->clone(device));
  return copy;
}
void ModuleDictImpl::clone_(const Module& source, const std::optional<Device>& device) {
  if (size() > 0) return Module::clone_(source, device);
  *this = *std::static_pointer_cast<ModuleDictImpl>(source.clone(device));
}

const Tensor& ParameterContainerImpl::found(const std::string& key, const char* container) const {
  const Tensor* tensor = parameters_.find(key);
  if (tensor == nullptr) refuse_key(container, key, parameters_.keys());
  return *tensor;
}
// An empty one takes the source's keys.
void ParameterContainerImpl::clone_(const Module& source, const std::optional<Device>& device) {
  if (parameters_.is_empty()) {
    for (const auto& item : static_cast<const ParameterContainerImpl&>(source)) {
      parameters_.insert(item.key(), Tensor());
    }
  }
  Module::clone_(source, device);
}
void ParameterContainerImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::" << short_name(*this) << "(\n";
  for (const auto& item : parameters_) {
    out << "(" << item.key() << "): Parameter containing: [";
    if (item.value().defined()) {
      out << item.value().scalar_type() << " of size " << item.value().sizes();
    }
    out << "]\n";
  }
  out << ")";
}

std::shared_ptr<Module> ParameterListImpl::clone(const std::optional<Device>& device) const {
  return clone_as(std::make_shared<ParameterListImpl>(), device);
}

Tensor ParameterDictImpl::pop(const std::string& key) {
  Tensor tensor = get(key);
  parameters_.erase(key);
  return tensor;
}
std::shared_ptr<Module> ParameterDictImpl::clone(const std::optional<Device>& device) const {
  return clone_as(std::make_shared<ParameterDictImpl>(), device);
}

}  // namespace tensorlib::nn
