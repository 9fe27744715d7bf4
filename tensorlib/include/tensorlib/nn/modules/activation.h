// Layers without parameters that work element by element, and Dropout.
#pragma once

#include <string>
#include <utility>

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

struct GELUOptions {
  TENSORLIB_OPTION(std::string, approximate) = "none";  // or "tanh"
};
class TENSORLIB_API GELUImpl : public Module {
 public:
  explicit GELUImpl(GELUOptions options = {}) : options(std::move(options)) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  GELUOptions options;
};
TENSORLIB_MODULE(GELU);

class TENSORLIB_API SiLUImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(SiLU);

struct ELUOptions {
  TENSORLIB_OPTION(double, alpha) = 1;
  TENSORLIB_OPTION(bool, inplace) = false;
};
class TENSORLIB_API ELUImpl : public Module {
 public:
  explicit ELUImpl(const ELUOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  ELUOptions options;
};
TENSORLIB_MODULE(ELU);

using SELUOptions = ReLUOptions;
class TENSORLIB_API SELUImpl : public Module {
 public:
  explicit SELUImpl(const SELUOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  SELUOptions options;
};
TENSORLIB_MODULE(SELU);

using ReLU6Options = ReLUOptions;
class TENSORLIB_API ReLU6Impl : public Module {
 public:
  explicit ReLU6Impl(const ReLU6Options& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  ReLU6Options options;
};
TENSORLIB_MODULE(ReLU6);

struct HardtanhOptions {
  TENSORLIB_OPTION(double, min_val) = -1;
  TENSORLIB_OPTION(double, max_val) = 1;
  TENSORLIB_OPTION(bool, inplace) = false;
};
class TENSORLIB_API HardtanhImpl : public Module {
 public:
  explicit HardtanhImpl(const HardtanhOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  HardtanhOptions options;
};
TENSORLIB_MODULE(Hardtanh);

struct SoftplusOptions {
  TENSORLIB_OPTION(double, beta) = 1;
  TENSORLIB_OPTION(double, threshold) = 20;
};
class TENSORLIB_API SoftplusImpl : public Module {
 public:
  explicit SoftplusImpl(const SoftplusOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  SoftplusOptions options;
};
TENSORLIB_MODULE(Softplus);

struct PReLUOptions {
  TENSORLIB_OPTION(int64_t, num_parameters) = 1;
  TENSORLIB_OPTION(double, init) = 0.25;
};
class TENSORLIB_API PReLUImpl : public Module {
 public:
  explicit PReLUImpl(const PReLUOptions& options = {});
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  PReLUOptions options;
  Tensor weight;
};
TENSORLIB_MODULE(PReLU);

class TENSORLIB_API LogSigmoidImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(LogSigmoid);

class TENSORLIB_API MishImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Mish);

struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  TENSORLIB_OPTION(int64_t, dim);
};
class TENSORLIB_API GLUImpl : public Module {
 public:
  explicit GLUImpl(const GLUOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  GLUOptions options;
};
TENSORLIB_MODULE(GLU);

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
  TENSORLIB_OPTION(bool, inplace) = false;
};

class TENSORLIB_API DropoutImpl : public Module {
 public:
  explicit DropoutImpl(const DropoutOptions& options = {}) : options(options) {}
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
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
  Tensor forward(Tensor input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  Dropout2dOptions options;
};
TENSORLIB_MODULE(Dropout2d);

}  // namespace tensorlib::nn
