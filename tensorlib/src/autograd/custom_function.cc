#include "tensorlib/custom_function.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "autograd/record.h"
#include "core/check.h"
#include "tensorlib/factories.h"

namespace tensorlib {

void IValue::throw_other(const char* wanted, size_t held, CallSite site) {
  constexpr const char* kNames[] = {"None",   "Bool",      "Int",          "Double",      "String",
                                    "Tensor", "IntVector", "DoubleVector", "TensorVector"};
  throw Error(str_cat("IValue: to", wanted, "() of a value that is ", kNames[held]), site);
}

namespace autograd {

namespace detail {

// The record of a custom function's call.
struct CustomRecord final : GraphNode {
  struct Output {
    Dims sizes;
    TensorOptions options;
  };

  CustomRecord(CustomCall given, const tensor_list& results)
      : GraphNode("custom function", given.site, edges_of(given)),
        call(std::move(given)),
        name_(call.name) {
    outputs = static_cast<uint32_t>(results.size());
    for (const Tensor& result : results) {
      made.push_back(result.defined() ? Output{result.impl()->sizes, result.options()} : Output{});
    }
    call.context->record_ = this;
  }
  ~CustomRecord() override { call.context->record_ = nullptr; }

  // One edge for each argument: nowhere for one that is no tensor.
  static std::vector<Edge> edges_of(const CustomCall& call) {
    std::vector<const Tensor*> arguments;
    auto operand = call.operands.begin();
    for (const bool is_tensor : call.is_tensor) {
      arguments.push_back(is_tensor ? &*operand++ : nullptr);
    }
    return edges_to(arguments);
  }

  void save(const tensor_list& results) {
    for (const Tensor& tensor : call.context->to_save_) {
      const bool is_result =
          tensor.defined() && std::any_of(results.begin(), results.end(), [&](const Tensor& r) {
            return r.defined() && r.is_same(tensor);
          });
      saved.push_back(is_result ? SavedTensor::result(tensor) : SavedTensor(tensor));
    }
    call.context->to_save_.clear();
  }

  std::string name() const override { return name_; }
  Tensors backward(const Tensor& grad) override { return backward_of_all({grad}); }
  Tensors backward_of_all(const Tensors& grads) override {
    tensor_list given = grads;
    for (size_t i = 0; i < given.size() && call.context->materialize_; ++i) {
      if (!given[i].defined()) given[i] = zeros(made[i].sizes, made[i].options, site());
    }
    Tensors back = call.backward(call.context.get(), std::move(given));
    const size_t wanted = call.is_tensor.size();
    while (back.size() > wanted && !back.back().defined()) back.pop_back();
    if (back.size() != wanted) {
      throw Error(str_cat("backward: ", name_, " returned ", back.size(), " gradients for ", wanted,
                          " arguments\nhelp: return one for each argument, and torch::Tensor() for "
                          "one that has none"),
                  site());
    }
    for (size_t i = 0; i < wanted; ++i) {
      if (!call.is_tensor[i] && back[i].defined()) {
        throw Error(str_cat("backward: ", name_, " returned a gradient for argument ", i,
                            ", which is not a tensor\nhelp: return torch::Tensor() for it"),
                    site());
      }
    }
    return back;
  }
  void drop() override { saved.clear(); }

  CustomCall call;
  std::vector<Output> made;
  std::vector<SavedTensor> saved;

 private:
  std::string name_;
};

std::string custom_name(const char* mangled) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = str_cat("torch::autograd::CppNode<", status == 0 ? demangled : mangled, ">");
  std::free(demangled);
  return name;
}

tensor_list record_call(CustomCall call, tensor_list outputs) {
  std::vector<const Tensor*> operands;
  for (const Tensor& operand : call.operands) operands.push_back(&operand);
  const bool wanted = records(operands, call.name.c_str(), call.site);
  // An argument that is returned as it is becomes a tensor of its own.
  for (Tensor& output : outputs) {
    for (const Tensor& operand : call.operands) {
      if (output.defined() && operand.defined() && output.is_same(operand)) {
        output = operand.detach(call.site);
      }
    }
  }
  if (!wanted) return outputs;
  const auto context = call.context;
  const std::shared_ptr<CustomRecord> record(new CustomRecord(std::move(call), outputs),
                                             GraphNode::Dispose());
  const auto& constant = context->not_differentiable_;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined() ||
        std::any_of(constant.begin(), constant.end(),
                    [&](const Tensor& t) { return t.is_same(outputs[i]); })) {
      continue;
    }
    set_node(outputs[i], record, static_cast<uint32_t>(i));
  }
  record->save(outputs);
  return outputs;
}

}  // namespace detail

AutogradContext::AutogradContext() = default;
AutogradContext::~AutogradContext() = default;

void AutogradContext::save_for_backward(tensor_list to_save) { to_save_ = std::move(to_save); }
void AutogradContext::mark_non_differentiable(const tensor_list& outputs) {
  not_differentiable_ = outputs;
}

tensor_list AutogradContext::get_saved_variables() const {
  if (record_ == nullptr) {
    throw Error("get_saved_variables: nothing is saved outside backward", CallSite::none());
  }
  tensor_list tensors;
  auto* const record = const_cast<detail::CustomRecord*>(record_);
  for (const SavedTensor& saved : record->saved) tensors.push_back(saved.get(record));
  return tensors;
}

bool AutogradContext::needs_input_grad(size_t i) const {
  return record_ != nullptr && i < record_->operands().size() && record_->operands()[i].needed();
}

}  // namespace autograd

}  // namespace tensorlib
