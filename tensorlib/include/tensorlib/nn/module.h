// Module: a tree of parameters, buffers and submodules, with names.
//
// A module is moved in place: to(device) swaps the data inside each parameter and buffer, so that
// whoever holds a parameter (an optimizer) still holds the same one. That differs from Tensor::to,
// which returns the moved tensor. Only what was registered is moved.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tensorlib/ordered_dict.h"
#include "tensorlib/tensor.h"

namespace tensorlib::serialize {
class OutputArchive;
class InputArchive;
}  // namespace tensorlib::serialize

namespace tensorlib::nn {

class Module;
template <class Contained>
class ModuleHolder;
template <class Derived>
class Cloneable;

namespace detail {

// The class of a module: T itself, or what the holder T holds.
template <class T, class = void>
struct Contained {
  using type = T;
};
template <class T>
struct Contained<T, std::void_t<typename T::ContainedType>> {
  using type = typename T::ContainedType;
};

}  // namespace detail

class TENSORLIB_API Module : public std::enable_shared_from_this<Module> {
 public:
  explicit Module(std::string name);
  Module();
  virtual ~Module();
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;

  // The class's name with its namespaces ("tensorlib::nn::LinearImpl"), unless one was given.
  const std::string& name() const;

  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  // Submodules in order of registration, depth first.
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  // The same with their names: the module's own is the prefix, those of others are "prefix.fc".
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string& prefix = "",
                                                                  bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const;
  void apply(const std::function<void(Module&)>& function);

  // A copy of the tree whose tensors are its own, on `device` where that is given. The library's
  // layers can be copied, and classes that derive from nn::Cloneable; an Error for others.
  TENSORLIB_NODISCARD("the copy is the result")
  virtual std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const;

  // Parameters and buffers by their names, to and from an archive; see serialize.h.
  virtual void save(serialize::OutputArchive& archive) const;
  virtual void load(serialize::InputArchive& archive);

  // Training mode changes what dropout and batch norm do.
  virtual void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }

  // Drops the gradients of all parameters, or makes them zeros.
  void zero_grad(bool set_to_none = true);

  // Moves and converts in place. Conversion is of floating parameters and buffers only.
  virtual void to(Device device, ScalarType dtype, bool non_blocking = false,
                  CallSite site = CallSite::current());
  virtual void to(ScalarType dtype, bool non_blocking = false, CallSite site = CallSite::current());
  virtual void to(Device device, bool non_blocking = false, CallSite site = CallSite::current());

  // Where its parameters and buffers are: one entry for each device, the one with most bytes first.
  struct DeviceUse {
    Device device;
    size_t tensors = 0;
    size_t bytes = 0;
    std::vector<std::string> names;
  };
  std::vector<DeviceUse> devices() const;
  // The one device that all of it is on, to move inputs to: x.to(model->device()). A DeviceError
  // that lists them where there are several, or none.
  Device device(CallSite site = CallSite::current()) const;

  // "Linear(in_features=100, out_features=50, bias=true)"
  virtual void pretty_print(std::ostream& out) const;

  // As a module of that class, or of a holder's: as<LinearImpl>(), as<Linear>(). Null if it is
  // none.
  template <class T>
  auto* as() {
    return dynamic_cast<typename detail::Contained<T>::type*>(this);
  }

  // To be called by a subclass's constructor, or later; a name has no dot in it and is used once.
  // A floating parameter requires its gradient unless told otherwise.
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class T>
  std::shared_ptr<T> register_module(std::string name, std::shared_ptr<T> module) {
    add_child(std::move(name), module);
    return module;
  }
  template <class T>
  std::shared_ptr<T> register_module(std::string name, ModuleHolder<T> holder) {
    return register_module(std::move(name), holder.ptr());
  }

  // Another module, or none, in the place of the part of that name. An Error where there is none.
  template <class T>
  std::shared_ptr<T> replace_module(const std::string& name, std::shared_ptr<T> module) {
    replace_child(name, module);
    return module;
  }
  template <class T>
  std::shared_ptr<T> replace_module(const std::string& name, ModuleHolder<T> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name);

 protected:
  // For clone() of a class that is made from its options: `made`, as a copy of this.
  std::shared_ptr<Module> clone_as(std::shared_ptr<Module> made,
                                   const std::optional<Device>& device) const;
  // Becomes a copy of `source`, a module of the same class and the same tree.
  virtual void clone_(const Module& source, const std::optional<Device>& device);

  // Another tensor in the place of the parameter of that name, or a further one. As it was given:
  // with or without its gradient.
  Tensor& set_parameter(const std::string& name, Tensor tensor);

  OrderedDict<std::string, Tensor> parameters_;
  OrderedDict<std::string, Tensor> buffers_;
  OrderedDict<std::string, std::shared_ptr<Module>> children_;

 private:
  template <class Derived>
  friend class Cloneable;
  // For clone(): forgets the parts that the copy of a handle shares with the original.
  void drop_parts();

  void add_child(std::string name, std::shared_ptr<Module> child);
  void replace_child(const std::string& name, std::shared_ptr<Module> child);
  void check_name(const std::string& name, const char* what) const;
  void visit_tensors(bool parameters, bool recurse, const std::string& prefix,
                     OrderedDict<std::string, Tensor>& out) const;
  void move_all(std::optional<Device> device, std::optional<ScalarType> dtype, bool non_blocking,
                CallSite site);
  // Names each own tensor "path.name" for error messages, below as well.
  void set_path(const std::string& path);

  mutable std::string name_;
  std::string path_;  // "layer1.0" within the root module, empty in the root
  bool training_ = true;
};

// In a layer of the library, which can be copied.
#define TENSORLIB_CLONE                           \
  TENSORLIB_NODISCARD("the copy is the result")   \
  std::shared_ptr<::tensorlib::nn::Module> clone( \
      const std::optional<::tensorlib::Device>& device = std::nullopt) const override

TENSORLIB_API std::ostream& operator<<(std::ostream& out, const Module& module);
// "cuda:0  4 tensors, 1024 bytes: 0.weight, 0.bias, ...", one line for each device.
TENSORLIB_API std::ostream& operator<<(std::ostream& out,
                                       const std::vector<Module::DeviceUse>& devices);

}  // namespace tensorlib::nn
