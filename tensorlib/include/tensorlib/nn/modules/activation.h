// Layers without parameters that work element by element, and Dropout.
#pragma once

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct ReLUOptions {
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}
  TENSORLIB_OPTION(bool, inplace);
};

class TENSORLIB_API ReLUImpl : public Module {
 public:
  explicit ReLUImpl(const ReLUOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  ReLUOptions options;
};
TENSORLIB_MODULE(ReLU);

struct LeakyReLUOptions {
  TENSORLIB_OPTION(double, negative_slope) = 0.01;
  TENSORLIB_OPTION(bool, inplace) = false;
};

class TENSORLIB_API LeakyReLUImpl : public Module {
 public:
  explicit LeakyReLUImpl(const LeakyReLUOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  LeakyReLUOptions options;
};
TENSORLIB_MODULE(LeakyReLU);

class TENSORLIB_API SigmoidImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Sigmoid);

class TENSORLIB_API TanhImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Tanh);

class TENSORLIB_API GELUImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(GELU);

class TENSORLIB_API SiLUImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(SiLU);

struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  TENSORLIB_OPTION(int64_t, dim);
};
using LogSoftmaxOptions = SoftmaxOptions;

class TENSORLIB_API SoftmaxImpl : public Module {
 public:
  explicit SoftmaxImpl(const SoftmaxOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  SoftmaxOptions options;
};
TENSORLIB_MODULE(Softmax);

class TENSORLIB_API LogSoftmaxImpl : public Module {
 public:
  explicit LogSoftmaxImpl(const SoftmaxOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  SoftmaxOptions options;
};
TENSORLIB_MODULE(LogSoftmax);

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  TENSORLIB_OPTION(double, p);
};

class TENSORLIB_API DropoutImpl : public Module {
 public:
  explicit DropoutImpl(const DropoutOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  DropoutOptions options;
};
TENSORLIB_MODULE(Dropout);

// Drops whole channels of [N, C, H, W].
using Dropout2dOptions = DropoutOptions;
class TENSORLIB_API Dropout2dImpl : public Module {
 public:
  explicit Dropout2dImpl(const Dropout2dOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  Dropout2dOptions options;
};
TENSORLIB_MODULE(Dropout2d);

}  // namespace tensorlib::nn
