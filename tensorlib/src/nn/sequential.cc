// Sequential, and what AnyModule says.
#include "tensorlib/nn/modules/sequential.h"

#include <ostream>

#include "core/check.h"

namespace tensorlib::nn {

void AnyModule::refuse(const Module& module, size_t inputs, CallSite site) {
  throw Error(str_cat("AnyModule: forward of ", module.name(), " does not take ", inputs,
                      inputs == 1 ? " tensor" : " tensors", " and give one"),
              site);
}

void FunctionalImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Functional()"; }

void SequentialImpl::push_back(std::string name, AnyModule module) {
  modules_.push_back(register_module(std::move(name), module.ptr()));
  calls_.push_back(std::move(module));
}
Tensor SequentialImpl::forward(const Tensor& input, CallSite site) const {
  if (calls_.empty()) throw Error("Sequential: there is no module in it", site);
  Tensor value = input;
  for (const AnyModule& call : calls_) value = call.forward(value, site);
  return value;
}
void SequentialImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Sequential"; }

std::shared_ptr<Module> SequentialImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<SequentialImpl>();
  copy->train(is_training());  // before its elements come: their modes are their own
  const auto names = named_children().keys();
  for (size_t i = 0; i < calls_.size(); ++i) copy->push_back(names[i], calls_[i].clone(device));
  return copy;
}
// The elements of an empty one are made.
void SequentialImpl::clone_(const Module& source, const std::optional<Device>& device) {
  if (size() > 0) return Module::clone_(source, device);
  *this = *std::static_pointer_cast<SequentialImpl>(source.clone(device));
}

}  // namespace tensorlib::nn
