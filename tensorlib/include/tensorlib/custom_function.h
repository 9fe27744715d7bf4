// Operations with a gradient that the user writes:
//
//   struct Cube : torch::autograd::Function<Cube> {
//     static torch::Tensor forward(AutogradContext* ctx, torch::Tensor x) {
//       ctx->save_for_backward({x});
//       return x.pow(3);
//     }
//     static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
//       return {grads[0] * 3 * ctx->get_saved_variables()[0].square()};
//     }
//   };
//   torch::Tensor y = Cube::apply(x);
//
// backward returns one gradient for each argument of apply, and an undefined tensor for one that is
// no tensor or needs none.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tensorlib/autograd.h"
#include "tensorlib/ivalue.h"

namespace tensorlib::autograd {

namespace detail {
struct CustomCall;
struct CustomRecord;
// The outputs as results of the call, recorded where a gradient is wanted.
TENSORLIB_API tensor_list record_call(CustomCall call, tensor_list outputs);
}  // namespace detail

// The state that a custom function's forward leaves for its backward.
class TENSORLIB_API AutogradContext {
 public:
  AutogradContext();
  ~AutogradContext();
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  // Arguments and results: kept until backward, which throws if they were changed in place since.
  void save_for_backward(tensor_list to_save);
  tensor_list get_saved_variables() const;
  // Results that no gradient flows through.
  void mark_non_differentiable(const tensor_list& outputs);
  // Whether backward gets zeros for a result without a gradient (it does), or undefined tensors.
  void set_materialize_grads(bool on) { materialize_ = on; }
  // Whether argument i of apply needs a gradient.
  bool needs_input_grad(size_t i) const;

  std::unordered_map<std::string, IValue> saved_data;

 private:
  friend struct detail::CustomRecord;
  friend TENSORLIB_API tensor_list detail::record_call(detail::CustomCall call,
                                                       tensor_list outputs);
  tensor_list to_save_, not_differentiable_;
  bool materialize_ = true;
  const detail::CustomRecord* record_ = nullptr;
};

namespace detail {

// One call of a custom function.
struct CustomCall {
  std::string name;
  std::shared_ptr<AutogradContext> context = std::make_shared<AutogradContext>();
  std::vector<Tensor> operands;
  std::vector<bool> is_tensor;  // of each argument; operands are those that are
  tensor_list (*backward)(AutogradContext*, tensor_list) = nullptr;
  CallSite site = CallSite::none();

  void take(const Tensor& argument) {
    operands.push_back(argument);
    is_tensor.push_back(true);
  }
  template <class T>
  void take(const T&) {
    is_tensor.push_back(false);
  }
};

TENSORLIB_API std::string custom_name(const char* mangled);

}  // namespace detail

template <class Derived>
struct Function {
  template <class X = Derived, class... Arguments>
  static auto apply(Arguments&&... arguments)
      -> std::decay_t<decltype(X::forward(nullptr, arguments...))> {
    using Result = std::decay_t<decltype(X::forward(nullptr, arguments...))>;
    detail::CustomCall call;
    call.name = detail::custom_name(typeid(X).name());
    call.backward = [](AutogradContext* ctx, tensor_list grads) -> tensor_list {
      return X::backward(ctx, std::move(grads));
    };
    (call.take(arguments), ...);
    Result result = [&] {
      NoGradGuard no_grad;
      return X::forward(call.context.get(), std::forward<Arguments>(arguments)...);
    }();
    if constexpr (std::is_same_v<Result, Tensor>) {
      return detail::record_call(std::move(call), {std::move(result)})[0];
    } else {
      return detail::record_call(std::move(call), std::move(result));
    }
  }
};

}  // namespace tensorlib::autograd
