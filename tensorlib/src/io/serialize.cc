#include "tensorlib/serialize.h"

#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "io/file.h"
#include "optim/optimizer.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::io {

namespace {

constexpr const char* kKind = "tensorlib";  // the metadata's key that says what the file holds

SafeTensors packed(const char* kind) {
  SafeTensors result;
  result.metadata[kKind] = kind;
  return result;
}

[[noreturn]] void refuse_load(const std::string& name, const std::string& why, CallSite site) {
  throw Error(str_cat("load: ", name, " ", why), site);
}

// A file of another kind than the one that is loaded into; files of other programs say none.
void check_kind(const SafeTensors& from, const char* kind, const std::string& name, CallSite site) {
  const auto found = from.metadata.find(kKind);
  if (found != from.metadata.end() && found->second != kind) {
    refuse_load(name, str_cat("holds ", found->second, ", not ", kind), site);
  }
}

void copy_into(const Tensor& own, const Tensor& loaded, const std::string& key,
               const std::string& name, CallSite site) {
  if (own.sizes() != loaded.sizes()) {
    throw ShapeError(str_cat("load: \"", key, "\" has shape ", loaded.sizes(), " in ", name,
                             ", and ", own.sizes(), " in the module"),
                     site);
  }
  own.copy_(loaded, false, site);
}

// Parameters, then buffers, by their names.
OrderedDict<std::string, Tensor> state_of(const nn::Module& module) {
  OrderedDict<std::string, Tensor> state = module.named_parameters();
  for (const auto& item : module.named_buffers()) state.insert(item.key(), item.value());
  return state;
}

// The first few names of a list, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kShown ? str_cat(text, " and ", names.size() - kShown, " more") : text;
}

}  // namespace

SafeTensors pack(const Tensor& tensor) {
  SafeTensors result = packed("a tensor");
  result.tensors.insert("tensor", tensor);
  return result;
}

SafeTensors pack(const std::vector<Tensor>& tensors) {
  SafeTensors result = packed("tensors");
  for (size_t i = 0; i < tensors.size(); ++i) result.tensors.insert(std::to_string(i), tensors[i]);
  return result;
}

SafeTensors pack(const nn::Module& module) {
  SafeTensors result = packed("a module");
  result.tensors = state_of(module);
  return result;
}

void unpack(const SafeTensors& from, Tensor& tensor, const std::string& name, CallSite site) {
  check_kind(from, "a tensor", name, site);
  if (from.tensors.size() != 1) {
    refuse_load(name, str_cat("holds ", from.tensors.size(), " tensors, not one"), site);
  }
  tensor = from.tensors.begin()->value();
}

void unpack(const SafeTensors& from, std::vector<Tensor>& tensors, const std::string& name,
            CallSite site) {
  check_kind(from, "tensors", name, site);
  tensors = from.tensors.values();
}

void unpack(const SafeTensors& from, nn::Module& module, const std::string& name, CallSite site) {
  check_kind(from, "a module", name, site);
  const OrderedDict<std::string, Tensor> state = state_of(module);
  std::vector<std::string> missing, unknown;
  for (const auto& item : state) {
    if (!from.tensors.contains(item.key())) missing.push_back(item.key());
  }
  for (const auto& item : from.tensors) {
    if (!state.contains(item.key())) unknown.push_back(item.key());
  }
  if (!missing.empty() || !unknown.empty()) {
    std::string why = "does not fit the module";
    if (!missing.empty()) why += "\n  missing in the file: " + listed(missing);
    if (!unknown.empty()) why += "\n  unknown to the module: " + listed(unknown);
    refuse_load(name, why, site);
  }
  NoGradGuard raw;
  const CauseScope cause(TransferCause::kModule);
  for (const auto& item : state) {  // all are looked at before one is changed
    if (item.value().sizes() != from.tensors[item.key()].sizes()) {
      copy_into(item.value(), from.tensors[item.key()], item.key(), name, site);
    }
  }
  for (const auto& item : state) {
    copy_into(item.value(), from.tensors[item.key()], item.key(), name, site);
  }
}

SafeTensors pack(const optim::Optimizer& optimizer) {
  SafeTensors result = packed("an optimizer");
  optim::OptimizerAccess::visit(
      const_cast<optim::Optimizer&>(optimizer),  // nothing is changed
      [&](const std::string& key, Tensor& tensor, IntArrayRef) {
        if (tensor.defined()) result.tensors.insert(key, tensor);
      },
      [&](const std::string& key, double& number) {
        result.tensors.insert(key, full({}, number, TensorOptions(kCPU).dtype(kDouble)));
      });
  return result;
}

void unpack(const SafeTensors& from, optim::Optimizer& optimizer, const std::string& name,
            CallSite site) {
  check_kind(from, "an optimizer", name, site);
  NoGradGuard raw;
  size_t known = 0;
  optim::OptimizerAccess::visit(
      optimizer,
      [&](const std::string& key, Tensor& tensor, IntArrayRef sizes) {
        const Tensor* found = from.tensors.find(key);
        if (found != nullptr && found->sizes() != sizes) {
          throw ShapeError(str_cat("load: \"", key, "\" has shape ", found->sizes(), " in ", name,
                                   ", and in the optimizer ", sizes),
                           site);
        }
        tensor = found == nullptr ? Tensor() : *found;
        known += found != nullptr;
      },
      [&](const std::string& key, double& number) {
        const Tensor* found = from.tensors.find(key);
        if (found == nullptr || found->numel() != 1) {
          refuse_load(name, str_cat("does not fit the optimizer: it has no number \"", key, "\""),
                      site);
        }
        number = found->item(site).toDouble();
        ++known;
      });
  if (known != from.tensors.size()) {
    refuse_load(name,
                str_cat("does not fit the optimizer: it has ", from.tensors.size(),
                        " values, and the optimizer takes ", known),
                site);
  }
}

}  // namespace tensorlib::io

namespace tensorlib::serialize {

void OutputArchive::write(const std::string& key, const Tensor& tensor, bool) {
  contents_.tensors.insert(key, tensor);
}
void OutputArchive::write(const std::string& key, const OutputArchive& nested) {
  for (const auto& item : nested.contents_.tensors) {
    contents_.tensors.insert(key + "." + item.key(), item.value());
  }
}
void OutputArchive::save_to(const std::string& path, CallSite site) const {
  io::save_safetensors(path, contents_.tensors, contents_.metadata, site);
}
void OutputArchive::save_to(std::ostream& out, CallSite site) const {
  io::save_safetensors(out, contents_.tensors, contents_.metadata, site);
}

void InputArchive::load_from(const std::string& path, std::optional<Device> device, CallSite site) {
  contents_ = io::load_safetensors(path, site);
  name_ = path;
  place(device, site);
}
void InputArchive::load_from(std::istream& in, std::optional<Device> device, CallSite site) {
  contents_ = io::load_safetensors(in, "the stream", site);
  place(device, site);
}
void InputArchive::place(std::optional<Device> device, CallSite site) {
  if (!device) return;
  const CauseScope cause(TransferCause::kModule);
  for (auto& item : contents_.tensors) {
    item.value() = item.value().to(*device, item.value().dtype(), false, false, site);
  }
}

void InputArchive::read(const std::string& key, Tensor& tensor, bool is_buffer,
                        CallSite site) const {
  if (try_read(key, tensor, is_buffer)) return;
  throw Error(str_cat("read: there is no tensor \"", key, "\" in ", name_), site);
}
bool InputArchive::try_read(const std::string& key, Tensor& tensor, bool) const {
  const Tensor* found = contents_.tensors.find(key);
  if (found == nullptr) return false;
  NoGradGuard raw;
  tensor.defined() ? tensor.set_data(*found) : void(tensor = *found);
  return true;
}

}  // namespace tensorlib::serialize

namespace tensorlib::nn {

void Module::save(serialize::OutputArchive& archive) const {
  const io::SafeTensors packed = io::pack(*this);
  for (const auto& item : packed.tensors) archive.write(item.key(), item.value());
}
void Module::load(serialize::InputArchive& archive) {
  io::unpack(archive.contents_, *this, archive.name_, CallSite::none());
}

}  // namespace tensorlib::nn
