#include "tensorlib/nn/module.h"

#include <cxxabi.h>
#include <xfer/annotate.h>

#include <cstdlib>
#include <ostream>
#include <typeinfo>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "nn/layer.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

namespace {

// Of what it is now: in a constructor, the class whose constructor runs.
std::string class_name(const Module& module) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(typeid(module).name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : typeid(module).name();
  std::free(demangled);
  return name;
}

// "Net" for user::NetImpl: what a person calls it.
std::string without_scope(std::string name) {
  const size_t scope = name.rfind("::");
  if (scope != std::string::npos && name.find('<') == std::string::npos) name.erase(0, scope + 2);
  if (name.size() > 4 && name.compare(name.size() - 4, 4, "Impl") == 0) {
    name.resize(name.size() - 4);
  }
  return name;
}

}  // namespace

std::string short_name(const Module& module) { return without_scope(module.name()); }

Module::Module(std::string name) : name_(std::move(name)) {}
Module::Module() = default;
Module::~Module() = default;

const std::string& Module::name() const {
  if (name_.empty()) name_ = class_name(*this);
  return name_;
}

void Module::check_name(const std::string& name, const char* what) const {
  if (name.empty() || name.find('.') != std::string::npos) {
    throw Error(
        str_cat(what, ": \"", name,
                "\" is not a name for a part of a module; a name is not empty and has no dot"),
        CallSite::none());
  }
  if (parameters_.contains(name) || buffers_.contains(name) || children_.contains(name)) {
    throw Error(str_cat(what, ": the module has a \"", name, "\" already"), CallSite::none());
  }
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name(name, "register_parameter");
  if (tensor.defined() && tensor.is_leaf() && tensor.is_floating_point()) {
    tensor.requires_grad_(requires_grad);
  }
  parameters_.insert(name, std::move(tensor));
  set_path(path_);
  return parameters_[name];
}

Tensor& Module::set_parameter(const std::string& name, Tensor tensor) {
  const bool requires_grad = tensor.defined() && tensor.requires_grad();
  Tensor* there = parameters_.find(name);
  if (there == nullptr) return register_parameter(name, std::move(tensor), requires_grad);
  *there = std::move(tensor);
  set_path(path_);
  return *there;
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name(name, "register_buffer");
  buffers_.insert(name, std::move(tensor));
  set_path(path_);
  return buffers_[name];
}

void Module::add_child(std::string name, std::shared_ptr<Module> child) {
  check_name(name, "register_module");
  if (child == nullptr)
    throw Error(str_cat("register_module: \"", name, "\" is empty"), CallSite::none());
  child->set_path(path_.empty() ? name : path_ + "." + name);
  children_.insert(std::move(name), std::move(child));
}

void Module::replace_child(const std::string& name, std::shared_ptr<Module> child) {
  if (!children_.contains(name) || child == nullptr) {
    throw Error(str_cat("replace_module: ", child == nullptr ? "nothing in the place of" : "no",
                        " part \"", name, "\""),
                CallSite::none());
  }
  child->set_path(path_.empty() ? name : path_ + "." + name);
  children_[name] = std::move(child);
}

void Module::unregister_module(const std::string& name) {
  if (!children_.contains(name)) {
    throw Error(str_cat("unregister_module: no part \"", name, "\""), CallSite::none());
  }
  children_.erase(name);
}

void Module::set_path(const std::string& path) {
  path_ = path;
  const std::string prefix =
      (path.empty() ? without_scope(name_.empty() ? class_name(*this) : name_) : path) + ".";
  for (auto* tensors : {&parameters_, &buffers_}) {
    for (const auto& item : *tensors) {
      if (item.value().defined()) item.value().impl()->name = prefix + item.key();
    }
  }
  for (const auto& item : children_) {
    item.value()->set_path(path.empty() ? item.key() : path + "." + item.key());
  }
}

void Module::visit_tensors(bool parameters, bool recurse, const std::string& prefix,
                           OrderedDict<std::string, Tensor>& out) const {
  for (const auto& item : parameters ? parameters_ : buffers_) {
    if (item.value().defined()) out.insert(prefix + item.key(), item.value());
  }
  if (!recurse) return;
  for (const auto& item : children_) {
    item.value()->visit_tensors(parameters, true, prefix + item.key() + ".", out);
  }
}

OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<std::string, Tensor> found;
  visit_tensors(true, recurse, "", found);
  return found;
}
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  OrderedDict<std::string, Tensor> found;
  visit_tensors(false, recurse, "", found);
  return found;
}
std::vector<Tensor> Module::parameters(bool recurse) const {
  return named_parameters(recurse).values();
}
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }

std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }
OrderedDict<std::string, std::shared_ptr<Module>> Module::named_children() const {
  return children_;
}

std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  std::vector<std::shared_ptr<Module>> found;
  if (include_self) {
    auto self = std::const_pointer_cast<Module>(weak_from_this().lock());
    if (self == nullptr) {
      throw Error(
          "modules: this module is not held by a shared_ptr\nhelp: make it with "
          "std::make_shared, or call modules(false)",
          CallSite::none());
    }
    found.push_back(std::move(self));
  }
  for (const auto& item : children_) {
    found.push_back(item.value());
    for (auto& below : item.value()->modules(false)) found.push_back(std::move(below));
  }
  return found;
}

OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string& prefix,
                                                                        bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> found;
  if (include_self) found.insert(prefix, modules(true).front());
  for (const auto& item : children_) {
    const std::string name = prefix.empty() ? item.key() : prefix + "." + item.key();
    found.insert(name, item.value());
    for (const auto& below : item.value()->named_modules(name, false)) {
      found.insert(below.key(), below.value());
    }
  }
  return found;
}

std::shared_ptr<Module> Module::clone(const std::optional<Device>&) const {
  throw Error(str_cat("clone: ", name(), " cannot be copied\nhelp: derive it from nn::Cloneable<",
                      name(), "> and make its parts in reset()"),
              CallSite::none());
}

std::shared_ptr<Module> Module::clone_as(std::shared_ptr<Module> made,
                                         const std::optional<Device>& device) const {
  made->clone_(*this, device);
  return made;
}

void Module::drop_parts() {
  parameters_ = {};
  buffers_ = {};
  children_ = {};
}

void Module::clone_(const Module& source, const std::optional<Device>& device) {
  const auto refuse = [&](const char* what, size_t made, size_t wanted) {
    if (made == wanted) return;
    throw Error(str_cat("clone: ", source.name(), " has ", wanted, " ", what, ", and its copy ",
                        made, "\nhelp: register all of them in reset()"),
                CallSite::none());
  };
  refuse("parameters", parameters_.size(), source.parameters_.size());
  refuse("buffers", buffers_.size(), source.buffers_.size());
  refuse("submodules", children_.size(), source.children_.size());
  NoGradGuard raw;
  const CauseScope cause(TransferCause::kModule);
  const auto take = [&](OrderedDict<std::string, Tensor>& own,
                        const OrderedDict<std::string, Tensor>& others) {
    for (const auto& item : others) {
      const Tensor& from = item.value();
      Tensor& to = own[item.key()];
      if (!from.defined()) {
        to = Tensor();
        continue;
      }
      const Tensor copy =
          from.detach().to(device.value_or(from.device()), from.dtype(), false, true);
      to.defined() ? to.set_data(copy) : void(to = copy);
      if (from.is_leaf() && from.is_floating_point()) to.requires_grad_(from.requires_grad());
    }
  };
  take(parameters_, source.parameters_);
  take(buffers_, source.buffers_);
  for (const auto& item : source.children_) {
    children_[item.key()]->clone_(*item.value(), device);
  }
  training_ = source.training_;
  set_path(path_);
}

void Module::apply(const std::function<void(Module&)>& function) {
  for (const auto& item : children_) item.value()->apply(function);
  function(*this);
}

void Module::zero_grad(bool set_to_none) { drop_gradients(parameters(), set_to_none); }

void Module::train(bool on) {
  for (const auto& item : children_) item.value()->train(on);
  training_ = on;
}

void Module::move_all(std::optional<Device> device, std::optional<ScalarType> dtype,
                      bool non_blocking, CallSite site) {
  NoGradGuard raw;
  const CauseScope cause(TransferCause::kModule);
  for (const auto& item : children_) item.value()->move_all(device, dtype, non_blocking, site);
  for (auto* tensors : {&parameters_, &buffers_}) {
    for (const auto& item : *tensors) {
      const Tensor& tensor = item.value();
      if (!tensor.defined()) continue;
      const bool converts = dtype.has_value() && tensor.is_floating_point();
      if (Tensor grad = tensor.grad(); grad.defined()) {
        tensor.mutable_grad() =
            grad.to(device.value_or(grad.device()), converts ? *dtype : grad.dtype(), non_blocking,
                    false, site);
      }
      // The parameter itself becomes the moved one: holders of its handle see it moved.
      tensor.set_data(tensor.to(device.value_or(tensor.device()),
                                converts ? *dtype : tensor.dtype(), non_blocking, false, site),
                      site);
      const TensorImpl& moved = *tensor.impl();
      xfer_name(moved.data(), tensor.nbytes(), moved.name.c_str());
    }
  }
}

void Module::to(Device device, ScalarType dtype, bool non_blocking, CallSite site) {
  move_all(device, dtype, non_blocking, site);
}
void Module::to(ScalarType dtype, bool non_blocking, CallSite site) {
  move_all(std::nullopt, dtype, non_blocking, site);
}
void Module::to(Device device, bool non_blocking, CallSite site) {
  move_all(device, std::nullopt, non_blocking, site);
}

void Module::pretty_print(std::ostream& out) const { out << name(); }

namespace {

void print_tree(std::ostream& out, const Module& module, const std::string& indent) {
  module.pretty_print(out);
  const auto children = module.named_children();
  if (children.is_empty()) return;
  out << "(\n";
  for (const auto& item : children) {
    out << indent << "  (" << item.key() << "): ";
    print_tree(out, *item.value(), indent + "  ");
    out << '\n';
  }
  out << indent << ')';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Module& module) {
  print_tree(out, module, "");
  return out;
}

}  // namespace tensorlib::nn
