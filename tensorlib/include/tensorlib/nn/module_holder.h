// ModuleHolder: a module by shared pointer that is used like a value: `Linear fc(10, 2); fc(x);
// fc->weight`. A class NameImpl gets its holder Name by TENSORLIB_MODULE(Name) (LibTorch's
// TORCH_MODULE).
#pragma once

#include <memory>
#include <ostream>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tensorlib/nn/module.h"

namespace tensorlib::nn {

namespace detail {

struct ModuleHolderIndicator {};

// Whether T::forward takes a tensor and the line of its call, as the library's layers do.
template <class T, class = void>
struct forwards_call_site : std::false_type {};
template <class T>
struct forwards_call_site<T, std::void_t<decltype(std::declval<T&>().forward(
                                 std::declval<const Tensor&>(), CallSite::none()))>>
    : std::true_type {};

// The same of a tensor and something more: an input and a target, or a state.
template <class T, class = void, class... Arguments>
struct forwards_pair : std::false_type {};
template <class T, class A, class B>
struct forwards_pair<
    T,
    std::enable_if_t<std::is_convertible_v<A, const Tensor&>,
                     std::void_t<decltype(std::declval<T&>().forward(
                         std::declval<const Tensor&>(), std::declval<B>(), CallSite::none()))>>,
    A, B> : std::true_type {};

// Whether T::forward takes its first tensor as an Operand, with the line of the call: that of a
// layer with several inputs and defaults behind them, which says so by a member type
// ForwardOperand.
template <class T, class = void>
struct forwards_operand : std::false_type {};
template <class T>
struct forwards_operand<T, std::void_t<typename T::ForwardOperand>> : std::true_type {};

template <class... Arguments>
constexpr bool is_one_tensor = false;
template <class Argument>
constexpr bool is_one_tensor<Argument> = std::is_convertible_v<Argument, const Tensor&>;

}  // namespace detail

template <class T>
constexpr bool is_module_holder = std::is_base_of_v<detail::ModuleHolderIndicator, std::decay_t<T>>;

template <class Contained>
class ModuleHolder : public detail::ModuleHolderIndicator {
 public:
  using ContainedType = Contained;

  ModuleHolder() : impl_(make_default()) {}
  ModuleHolder(std::nullptr_t) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  template <class Head, class... Tail,
            std::enable_if_t<!std::is_base_of_v<ModuleHolder, std::decay_t<Head>> &&
                                 std::is_constructible_v<Contained, Head&&, Tail&&...>,
                             int> = 0>
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(std::make_shared<Contained>(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}

  explicit operator bool() const { return impl_ != nullptr; }
  bool is_empty() const { return impl_ == nullptr; }
  Contained* get() const { return checked(); }
  Contained* operator->() const { return checked(); }
  Contained& operator*() const { return *checked(); }
  const std::shared_ptr<Contained>& ptr() const {
    checked();
    return impl_;
  }
  // An element of one that has elements, as Sequential and ModuleList have.
  template <class Index, class T = Contained>
  auto operator[](Index&& index) const -> decltype(std::declval<T&>()[std::forward<Index>(index)]) {
    return (*checked())[std::forward<Index>(index)];
  }
  // Calls forward. A layer of the library is told the line of this call, for its errors.
  template <class T = Contained, std::enable_if_t<detail::forwards_call_site<T>::value, int> = 0>
  decltype(auto) operator()(const Tensor& input, CallSite site = CallSite::current()) const {
    return static_cast<T*>(checked())->forward(input, site);
  }
  template <
      class Other, class T = Contained,
      std::enable_if_t<detail::forwards_pair<T, void, const Tensor&, Other&&>::value, int> = 0>
  decltype(auto) operator()(const Tensor& input, Other&& other,
                            CallSite site = CallSite::current()) const {
    return static_cast<T*>(checked())->forward(input, std::forward<Other>(other), site);
  }
  template <class... More, class T = Contained,
            std::enable_if_t<detail::forwards_operand<T>::value, int> = 0>
  decltype(auto) operator()(const Operand& first, More&&... more) const {
    return static_cast<T*>(checked())->forward(first, std::forward<More>(more)...);
  }
  template <class... Arguments, class T = Contained,
            std::enable_if_t<!detail::forwards_operand<T>::value &&
                                 !(detail::forwards_call_site<T>::value &&
                                   detail::is_one_tensor<Arguments...>) &&
                                 !detail::forwards_pair<T, void, Arguments&&...>::value,
                             int> = 0>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return checked()->forward(std::forward<Arguments>(arguments)...);
  }

 private:
  static std::shared_ptr<Contained> make_default() {
    if constexpr (std::is_default_constructible_v<Contained>) {
      return std::make_shared<Contained>();
    } else {
      throw std::logic_error(
          "a module without default constructor was made without arguments: write `Name name = "
          "nullptr;` for an empty holder");
    }
  }
  Contained* checked() const {
    if (impl_ == nullptr) throw std::logic_error("this module holder is empty");
    return impl_.get();
  }

  std::shared_ptr<Contained> impl_;
};

template <class Contained>
std::ostream& operator<<(std::ostream& out, const ModuleHolder<Contained>& holder) {
  return out << *holder;
}

}  // namespace tensorlib::nn

#define TENSORLIB_MODULE_IMPL(Name, Impl)                    \
  class Name : public ::tensorlib::nn::ModuleHolder<Impl> {  \
   public:                                                   \
    using ::tensorlib::nn::ModuleHolder<Impl>::ModuleHolder; \
    using ContainedImpl [[maybe_unused]] = Impl;             \
  }
#define TENSORLIB_MODULE(Name) TENSORLIB_MODULE_IMPL(Name, Name##Impl)
// LibTorch's spelling, for programs that are ported.
#ifndef TORCH_MODULE
#define TORCH_MODULE(Name) TENSORLIB_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, Impl) TENSORLIB_MODULE_IMPL(Name, Impl)
#endif
