// A few hundred declarations in the shape of LibTorch's headers: what the engine's tests parse
// instead of the real ones, which cost seconds per test.
#pragma once

extern "C" void* memcpy(void*, const void*, decltype(sizeof(0)));
namespace std {
using size_t = decltype(sizeof(0));
using nullptr_t = decltype(nullptr);
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
constexpr typename remove_reference<T>::type&& move(T&& t) noexcept {
  return static_cast<typename remove_reference<T>::type&&>(t);
}
template <class T>
constexpr T&& forward(typename remove_reference<T>::type& t) noexcept {
  return static_cast<T&&>(t);
}
template <class E>
class initializer_list {
  const E* begin_;
  size_t size_;
  initializer_list(const E* b, size_t s) : begin_(b), size_(s) {}

 public:
  initializer_list() : begin_(nullptr), size_(0) {}
  size_t size() const { return size_; }
  const E* begin() const { return begin_; }
  const E* end() const { return begin_ + size_; }
};
class string {
 public:
  string(const char*);
  ~string();
};
template <class T>
class vector {
 public:
  using iterator = T*;
  vector();
  vector(initializer_list<T>);
  vector(const vector&);
  ~vector();
  explicit vector(size_t);
  void push_back(const T&);
  template <class... A>
  T& emplace_back(A&&...);
  T& operator[](size_t);
  const T& operator[](size_t) const;
  T& back();
  size_t size() const;
  void resize(size_t);
  T* begin();
  T* end();
  const T* begin() const;
  const T* end() const;
  void clear();
};
template <class K, class V>
class map {
 public:
  map();
  map(const map&);
  ~map();
  V& operator[](const K&);
  V& at(const K&);
  const V& at(const K&) const;
  size_t size() const;
};
template <class T>
class shared_ptr {
 public:
  shared_ptr();
  shared_ptr(nullptr_t);
  explicit shared_ptr(T*);
  shared_ptr(const shared_ptr&);
  ~shared_ptr();
  template <class U>
  shared_ptr(const shared_ptr<U>&);
  T* operator->() const;
  T& operator*() const;
  T* get() const;
};
template <class T>
class unique_ptr {
 public:
  unique_ptr();
  explicit unique_ptr(T*);
  unique_ptr(unique_ptr&&);
  ~unique_ptr();
  T* operator->() const;
  T& operator*() const;
  T* get() const;
};
template <class T>
class function;
template <class R, class... A>
class function<R(A...)> {
 public:
  template <class F>
  function(F) {}
  R operator()(A...) const;
};
template <class T, class... A>
shared_ptr<T> make_shared(A&&... a) {
  return shared_ptr<T>(new T(forward<A>(a)...));
}
template <class... T>
class tuple {
 public:
  tuple();
  tuple(T...);
  template <class U>
  tuple& operator=(U&&);
};
template <class A, class B>
struct pair {
  A first;
  B second;
  pair(A a, B b) : first(a), second(b) {}
};
template <class A, class B>
pair<A, B> make_pair(A, B);
template <size_t I, class T>
struct tuple_element;
template <class H, class... R>
struct tuple_element<0, tuple<H, R...>> {
  using type = H;
};
template <size_t I, class H, class... R>
struct tuple_element<I, tuple<H, R...>> : tuple_element<I - 1, tuple<R...>> {};
template <size_t I, class... T>
typename tuple_element<I, tuple<T...>>::type& get(tuple<T...>&);
template <class... T>
tuple<T&...> tie(T&...);
template <class... T>
tuple<T...> make_tuple(T...);
template <class... T>
tuple<T&&...> forward_as_tuple(T&&...);
using ::memcpy;
class exception {
 public:
  virtual ~exception();
  virtual const char* what() const;
};
class runtime_error : public exception {
 public:
  runtime_error(const char*);
};
}  // namespace std

namespace c10 {
enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
enum class ScalarType : signed char { Byte, Float = 6, Half = 5, Double = 7 };
struct Device {
  Device(DeviceType type, signed char index = -1);
  Device(const std::string& text);
  DeviceType type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device&) const;
  bool operator!=(const Device&) const;
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(Device);
  TensorOptions(DeviceType);
  TensorOptions(ScalarType);
  TensorOptions pinned_memory(bool) const;
  TensorOptions requires_grad(bool) const;
  TensorOptions device(Device) const;
  TensorOptions dtype(ScalarType) const;
  Device device() const;
};
struct IntArrayRef {
  IntArrayRef(long);
  IntArrayRef(std::initializer_list<long>);
  IntArrayRef(const std::vector<long>&);
};
template <class T>
struct ArrayRef {
  ArrayRef(const std::vector<T>&);
  ArrayRef(std::initializer_list<T>);
};
struct Scalar {
  Scalar(double);
  Scalar(int);
};
}  // namespace c10

namespace at {
using c10::IntArrayRef;
using c10::Scalar;
using c10::TensorOptions;
class Tensor;
namespace indexing {
struct TensorIndex {
  TensorIndex(const Tensor&);
  TensorIndex(long);
};
}  // namespace indexing
class TensorBase {
 public:
  void set_data(const Tensor&) const;
};
class Tensor : public TensorBase {
 public:
  Tensor();
  Tensor(const Tensor&);
  Tensor(Tensor&&);
  ~Tensor();
  Tensor& operator=(const Tensor&) &;
  Tensor& operator=(Tensor&&) &;
  Tensor& operator=(const Tensor&) &&;
  Tensor to(TensorOptions options = {}, bool non_blocking = false, bool copy = false) const;
  Tensor to(c10::Device device, c10::ScalarType dtype, bool non_blocking = false,
            bool copy = false) const;
  Tensor to(c10::ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor clone() const;
  Tensor view(IntArrayRef) const;
  Tensor t() const;
  Tensor contiguous() const;
  Tensor detach() const;
  c10::Device device() const;
  bool is_cuda() const;
  TensorOptions options() const;
  Tensor add(const Tensor&) const;
  Tensor& add_(const Tensor&) const;
  Tensor& copy_(const Tensor&) const;
  Tensor& zero_() const;
  Tensor& fill_(Scalar) const;
  Tensor matmul(const Tensor&) const;
  Tensor sum() const;
  Tensor mean() const;
  Tensor relu() const;
  Tensor operator[](long) const;
  Tensor& operator+=(const Tensor&);
  Tensor& operator*=(Scalar);
  Tensor index_select(long, const Tensor&) const;
  Tensor index(c10::ArrayRef<indexing::TensorIndex>) const;
  Tensor index(std::initializer_list<indexing::TensorIndex>) const;
  Tensor operator[](const Tensor&) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex>, const Tensor&);
  Tensor diagonal() const;
  Tensor& erfinv_() const;
  Tensor masked_fill(const Tensor&, Scalar) const;
  template <class T>
  T item() const;
  template <class T>
  T* data_ptr() const;
  IntArrayRef sizes() const;
  Tensor pin_memory() const;
  const Tensor& grad() const;
  void retain_grad() const;
  Tensor requires_grad_(bool on = true) const;
  Tensor div(Scalar) const;
  long size(long) const;
};
Tensor operator+(const Tensor&, const Tensor&);
Tensor operator*(const Tensor&, const Tensor&);
Tensor operator+(const Tensor&, Scalar);
Tensor operator*(const Tensor&, Scalar);
Tensor matmul(const Tensor&, const Tensor&);
Tensor cat(c10::ArrayRef<Tensor>, long dim = 0);
Tensor relu(const Tensor&);
Tensor mse_loss(const Tensor&, const Tensor&);
Tensor not_modelled(const Tensor&);
Tensor rot90(const Tensor&);
Tensor blend(const Tensor&, const Tensor&);
Tensor upsample_nearest2d(const Tensor&, IntArrayRef);
Tensor& blend_out(Tensor&, const Tensor&);
Tensor empty_at(const Tensor&, TensorOptions);
std::tuple<Tensor, Tensor> mode(const Tensor&);
}  // namespace at

namespace torch {
using Tensor = at::Tensor;
using Device = c10::Device;
using c10::TensorOptions;
using namespace at;
constexpr c10::DeviceType kCPU = c10::DeviceType::CPU;
constexpr c10::DeviceType kCUDA = c10::DeviceType::CUDA;
constexpr c10::ScalarType kFloat = c10::ScalarType::Float;
constexpr c10::ScalarType kHalf = c10::ScalarType::Half;
constexpr c10::ScalarType kByte = c10::ScalarType::Byte;
constexpr c10::ScalarType kDouble = c10::ScalarType::Double;
namespace cuda {
bool is_available();
void synchronize(long device = -1);
}  // namespace cuda
namespace detail {
struct TensorDataContainer {
  TensorDataContainer(double);
  TensorDataContainer(std::initializer_list<TensorDataContainer>);
};
}  // namespace detail
Tensor randn(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
Tensor from_blob(void*, IntArrayRef, TensorOptions = {});
Tensor tensor(detail::TensorDataContainer, const TensorOptions& = {});
Tensor ones_like(const Tensor&, TensorOptions = {});
TensorOptions device(Device);
template <class V, class... A>
void load(V& value, A&&... from);
namespace nn {
class Module {
 public:
  virtual ~Module();
  virtual void to(Device, bool non_blocking = false);
  virtual void to(c10::ScalarType, bool non_blocking = false);
  virtual void train(bool on = true);
  void eval();
  std::vector<std::shared_ptr<Module>> children() const;
  void apply(void (*function)(Module&));
  std::vector<Tensor> parameters(bool recurse = true) const;
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module);
  template <class H>
  H register_module(std::string name, H holder, typename H::ContainedType* = nullptr) {
    return holder;
  }
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
};
struct HolderTag {};
template <bool B>
struct enable_if {};
template <>
struct enable_if<true> {
  using type = int;
};
template <class Contained>
class ModuleHolder : HolderTag {
 protected:
  std::shared_ptr<Contained> impl_;

 public:
  using ContainedType = Contained;
  ModuleHolder(std::nullptr_t) {}
  template <class Head, class... Tail,
            typename enable_if<!__is_base_of(HolderTag,
                                             typename std::remove_reference<Head>::type)>::type = 0>
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  ModuleHolder() : impl_(new Contained()) {}
  ModuleHolder(const ModuleHolder&) = default;
  ModuleHolder(ModuleHolder&) = default;
  ModuleHolder& operator=(const ModuleHolder&) = default;
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(module) {}
  Contained* operator->() { return impl_.get(); }
  const Contained* operator->() const { return impl_.get(); }
  Contained& operator*() { return *impl_; }
  Contained* get() { return impl_.get(); }
  std::shared_ptr<Contained> ptr() const { return impl_; }
  template <class... A>
  auto operator()(A&&... a) {
    return impl_->forward(std::forward<A>(a)...);
  }
};
class LinearImpl : public Module {
 public:
  LinearImpl(long in, long out);
  Tensor forward(const Tensor& input);
  Tensor weight;
};
class LSTMImpl : public Module {
 public:
  LSTMImpl(long in, long out);
  std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(const Tensor& input,
                                                         std::tuple<Tensor, Tensor> hx);
};
class ReLUImpl : public Module {
 public:
  ReLUImpl();
  Tensor forward(Tensor input);
};
class MSELossImpl : public Module {
 public:
  MSELossImpl();
  Tensor forward(const Tensor& input, const Tensor& target);
};
class SequentialImpl : public Module {
 public:
  template <class... M>
  explicit SequentialImpl(M&&... modules);
  Tensor forward(const Tensor& input);
  template <class M>
  void push_back(M module);
  std::shared_ptr<Module> ptr(std::size_t) const;
};
struct Linear : ModuleHolder<LinearImpl> {
  using ModuleHolder<LinearImpl>::ModuleHolder;
  using Impl = LinearImpl;
};
struct LSTM : ModuleHolder<LSTMImpl> {
  using ModuleHolder<LSTMImpl>::ModuleHolder;
  using Impl = LSTMImpl;
};
struct ReLU : ModuleHolder<ReLUImpl> {
  using ModuleHolder<ReLUImpl>::ModuleHolder;
  using Impl = ReLUImpl;
};
struct MSELoss : ModuleHolder<MSELossImpl> {
  using ModuleHolder<MSELossImpl>::ModuleHolder;
};
struct Sequential : ModuleHolder<SequentialImpl> {
  using ModuleHolder<SequentialImpl>::ModuleHolder;
};
}  // namespace nn
}  // namespace torch
namespace c10 {
struct IValue {
  IValue(at::Tensor);
  IValue(int);
  at::Tensor toTensor() const;
};
}  // namespace c10
namespace torch {
namespace jit {
class Module {
 public:
  void to(Device, bool non_blocking = false);
  void eval();
  c10::IValue forward(std::vector<c10::IValue> inputs);
};
Module load(const char* file);
Module load(const char* file, Device device);
}  // namespace jit
namespace data {
template <class D = Tensor, class T = Tensor>
struct Example {
  Example() = default;
  Example(D data, T target) : data(data), target(target) {}
  D data;
  T target;
};
namespace transforms {
template <class E = Example<>>
struct Stack {};
template <class T = Tensor>
struct Normalize {
  Normalize(double, double);
};
template <class T>
struct TensorTransform {
  virtual ~TensorTransform();
  virtual T operator()(T) = 0;
};
template <class E>
struct Lambda {
  std::function<E(E)> function;
};
}  // namespace transforms
namespace datasets {
template <class D, class T>
class MapDataset {
 public:
  MapDataset(D, T);
  template <class U>
  MapDataset<MapDataset, U> map(U);
  std::vector<Example<>> get_batch(std::vector<std::size_t>);
};
template <class Self, class E = Example<>>
class Dataset {
 public:
  virtual ~Dataset();
  virtual E get(std::size_t) = 0;
  template <class U>
  MapDataset<Self, U> map(U);
};
class MNIST : public Dataset<MNIST> {
 public:
  explicit MNIST(const char*);
  Example<> get(std::size_t) override;
};
}  // namespace datasets
template <class D>
class StatelessDataLoader {
 public:
  struct Iterator {
    Example<>& operator*();
    Iterator& operator++();
    bool operator!=(const Iterator&) const;
  };
  Iterator begin();
  Iterator end();
};
template <class D>
std::unique_ptr<StatelessDataLoader<D>> make_data_loader(D dataset, std::size_t batch);
}  // namespace data
namespace optim {
class SGD {
 public:
  SGD(std::vector<Tensor> parameters, double rate);
  void step();
};
}  // namespace optim
}  // namespace torch

#define TORCH_MODULE(Name)                                   \
  class Name : public torch::nn::ModuleHolder<Name##Impl> {  \
   public:                                                   \
    using torch::nn::ModuleHolder<Name##Impl>::ModuleHolder; \
    using Impl = Name##Impl;                                 \
  }
