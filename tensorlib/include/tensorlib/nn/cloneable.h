// Cloneable: what a module's class derives from, in place of Module, so that clone() copies it.
//
// Its parts are made and registered in reset(), which the constructor calls too:
//
//   struct NetImpl : torch::nn::Cloneable<NetImpl> {
//     NetImpl() { reset(); }
//     void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
//     torch::nn::Linear fc = nullptr;
//   };
#pragma once

#include <memory>
#include <optional>

#include "tensorlib/nn/module.h"

namespace tensorlib::nn {

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  // Makes all parts anew; members that are parts become the new ones.
  virtual void reset() = 0;

  TENSORLIB_NODISCARD("the copy is the result")
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override {
    auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    Cloneable& parts = *copy;
    parts.drop_parts();
    parts.reset();
    parts.Module::clone_(*this, device);
    return copy;
  }

 protected:
  // As a part of another module: its other members come along.
  void clone_(const Module& source, const std::optional<Device>& device) override {
    const auto copy = std::static_pointer_cast<Derived>(source.clone(device));
    static_cast<Derived&>(*this) = *copy;
  }
};

}  // namespace tensorlib::nn
