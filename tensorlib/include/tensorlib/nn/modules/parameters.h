// ParameterList and ParameterDict: parameters in a row, or by name, that a module owns.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensorlib/nn/module_holder.h"

namespace tensorlib::nn {

// The base of both containers: the parameters, each under its key, in the order in which they came.
// Each is as it was given, with or without its gradient.
class TENSORLIB_API ParameterContainerImpl : public Module {
 public:
  using Parameters = OrderedDict<std::string, Tensor>;
  using Iterator = Parameters::Iterator;
  using ConstIterator = Parameters::ConstIterator;

  Iterator begin() { return parameters_.begin(); }
  Iterator end() { return parameters_.end(); }
  ConstIterator begin() const { return parameters_.begin(); }
  ConstIterator end() const { return parameters_.end(); }
  size_t size() const { return parameters_.size(); }
  void pretty_print(std::ostream& out) const override;

 protected:
  void clone_(const Module& source, const std::optional<Device>& device) override;
  // An Error that names `container` and the keys where there is no such one.
  const Tensor& found(const std::string& key, const char* container) const;
};

// The keys are "0", "1" and so on.
class TENSORLIB_API ParameterListImpl : public ParameterContainerImpl {
 public:
  ParameterListImpl() = default;
  template <class... Tensors,
            std::enable_if_t<(sizeof...(Tensors) > 0) &&
                                 (std::is_convertible_v<Tensors, const Tensor&> && ...),
                             int> = 0>
  explicit ParameterListImpl(Tensors&&... tensors) {
    (append(tensors), ...);
  }

  void append(const Tensor& tensor) { set_parameter(std::to_string(size()), tensor); }
  void append(const Parameters::Item& item) { append(item.value()); }
  // Of a vector of tensors, another list, or what named_parameters() gave.
  template <class Container>
  void extend(const Container& container) {
    for (const auto& tensor : container) append(tensor);
  }
  template <class Container>
  ParameterListImpl& operator+=(const Container& other) {
    extend(other);
    return *this;
  }

  // An Error where there is none.
  Tensor& at(size_t i) { return const_cast<Tensor&>(std::as_const(*this).at(i)); }
  const Tensor& at(size_t i) const { return found(std::to_string(i), "ParameterList"); }
  Tensor& operator[](size_t i) { return at(i); }
  const Tensor& operator[](size_t i) const { return at(i); }
  bool is_empty() const { return parameters_.is_empty(); }
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(ParameterList);

class TENSORLIB_API ParameterDictImpl : public ParameterContainerImpl {
 public:
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const Parameters& parameters) { update(parameters); }

  // A further parameter, or another one under the same key, in its place.
  Tensor& insert(const std::string& key, const Tensor& tensor) {
    return set_parameter(key, tensor);
  }
  // Of another ParameterDict, or of an OrderedDict of tensors.
  template <class Container>
  void update(const Container& container) {
    for (const auto& item : container) insert(item.key(), item.value());
  }
  // Takes a parameter out, or all.
  Tensor pop(const std::string& key);
  void clear() { parameters_.clear(); }

  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<Tensor> values() const { return parameters_.values(); }
  bool contains(const std::string& key) const { return parameters_.contains(key); }
  bool empty() const { return parameters_.is_empty(); }
  // An Error that lists the keys where there is no such one.
  Tensor& get(const std::string& key) { return const_cast<Tensor&>(std::as_const(*this).get(key)); }
  const Tensor& get(const std::string& key) const { return found(key, "ParameterDict"); }
  Tensor& operator[](const std::string& key) { return get(key); }
  const Tensor& operator[](const std::string& key) const { return get(key); }
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(ParameterDict);

}  // namespace tensorlib::nn
