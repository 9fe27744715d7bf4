// torch::save and torch::load, of tensors, modules and optimizers.
//
// The files are safetensors (https://github.com/huggingface/safetensors), whatever their name ends
// in: what PyTorch's own safetensors functions write of a state dict can be loaded into a module,
// and the other way round. Archives of LibTorch's torch::save are another format, and refused with
// the way to convert them.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tensorlib/io/safetensors.h"
#include "tensorlib/nn/module.h"
#include "tensorlib/nn/module_holder.h"
#include "tensorlib/optim.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace serialize {

// Named tensors to be written: what a module's save() fills.
class TENSORLIB_API OutputArchive {
 public:
  void write(const std::string& key, const Tensor& tensor, bool is_buffer = false);
  // Another archive's, as "key.name".
  void write(const std::string& key, const OutputArchive& nested);
  void save_to(const std::string& path, CallSite site = CallSite::current()) const;
  void save_to(std::ostream& out, CallSite site = CallSite::current()) const;

 private:
  friend class nn::Module;
  io::SafeTensors contents_;
};

// Named tensors that were read.
class TENSORLIB_API InputArchive {
 public:
  // With a device, what is read is moved there.
  void load_from(const std::string& path, std::optional<Device> device = std::nullopt,
                 CallSite site = CallSite::current());
  void load_from(std::istream& in, std::optional<Device> device = std::nullopt,
                 CallSite site = CallSite::current());
  // An Error where there is no such tensor; try_read then gives false and changes nothing.
  void read(const std::string& key, Tensor& tensor, bool is_buffer = false,
            CallSite site = CallSite::current()) const;
  bool try_read(const std::string& key, Tensor& tensor, bool is_buffer = false) const;
  std::vector<std::string> keys() const { return contents_.tensors.keys(); }

 private:
  friend class nn::Module;
  void place(std::optional<Device> device, CallSite site);
  io::SafeTensors contents_;
  std::string name_ = "the archive";
};

}  // namespace serialize

namespace io {

// The content that save() writes for each.
TENSORLIB_PURE TENSORLIB_API SafeTensors pack(const Tensor& tensor);
TENSORLIB_PURE TENSORLIB_API SafeTensors pack(const std::vector<Tensor>& tensors);
TENSORLIB_PURE TENSORLIB_API SafeTensors pack(const nn::Module& module);
TENSORLIB_PURE TENSORLIB_API SafeTensors pack(const optim::Optimizer& optimizer);
template <class T>
TENSORLIB_PURE SafeTensors pack(const nn::ModuleHolder<T>& holder) {
  return pack(static_cast<const nn::Module&>(*holder));
}
template <class T, std::enable_if_t<std::is_base_of_v<nn::Module, T>, int> = 0>
TENSORLIB_PURE SafeTensors pack(const std::shared_ptr<T>& module) {
  return pack(static_cast<const nn::Module&>(*module));
}

// And back. A module's tensors are written in place, where they are and in their type; one that is
// missing, left over or of another shape is an Error that names it. `name` is what errors call the
// source.
TENSORLIB_API void unpack(const SafeTensors& from, Tensor& tensor, const std::string& name,
                          CallSite site);
TENSORLIB_API void unpack(const SafeTensors& from, std::vector<Tensor>& tensors,
                          const std::string& name, CallSite site);
TENSORLIB_API void unpack(const SafeTensors& from, nn::Module& module, const std::string& name,
                          CallSite site);
TENSORLIB_API void unpack(const SafeTensors& from, optim::Optimizer& optimizer,
                          const std::string& name, CallSite site);
template <class T>
void unpack(const SafeTensors& from, nn::ModuleHolder<T>& holder, const std::string& name,
            CallSite site) {
  unpack(from, static_cast<nn::Module&>(*holder), name, site);
}
template <class T, std::enable_if_t<std::is_base_of_v<nn::Module, T>, int> = 0>
void unpack(const SafeTensors& from, std::shared_ptr<T>& module, const std::string& name,
            CallSite site) {
  unpack(from, static_cast<nn::Module&>(*module), name, site);
}

}  // namespace io

template <class Value>
void save(const Value& value, const std::string& path, CallSite site = CallSite::current()) {
  const io::SafeTensors packed = io::pack(value);
  io::save_safetensors(path, packed.tensors, packed.metadata, site);
}
template <class Value>
void save(const Value& value, std::ostream& out, CallSite site = CallSite::current()) {
  const io::SafeTensors packed = io::pack(value);
  io::save_safetensors(out, packed.tensors, packed.metadata, site);
}

template <class Value>
void load(Value& value, const std::string& path, CallSite site = CallSite::current()) {
  io::unpack(io::load_safetensors(path, site), value, path, site);
}
template <class Value>
void load(Value& value, std::istream& in, CallSite site = CallSite::current()) {
  io::unpack(io::load_safetensors(in, "the stream", site), value, "the stream", site);
}

// And brought to a device: a module before its values are read, a tensor afterwards.
template <class Value>
void load(Value& value, const std::string& path, Device device,
          CallSite site = CallSite::current()) {
  if constexpr (std::is_same_v<Value, Tensor>) {
    load(value, path, site);
    value = value.to(device, value.dtype(), false, false, site);
  } else {
    static_assert(!std::is_base_of_v<optim::Optimizer, Value>,
                  "an optimizer's values follow its parameters: load it without a device");
    value->to(device, false, site);
    load(value, path, site);
  }
}

}  // namespace tensorlib
