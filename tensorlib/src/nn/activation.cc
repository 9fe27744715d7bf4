// The layers of activation functions, but for ReLU and its simplest kin.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

Tensor ELUImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, elu(input, options.alpha(), 1, 1, site), options.inplace(), site);
}
void ELUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::ELU(alpha=" << options.alpha()
      << (options.inplace() ? ", inplace=true" : "") << ")";
}
Tensor SELUImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, selu(input, site), options.inplace(), site);
}
void SELUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::SELU(" << (options.inplace() ? "inplace=true" : "") << ")";
}
Tensor ReLU6Impl::forward(Tensor input, CallSite site) const {
  return given_back(input, relu6(input, site), options.inplace(), site);
}
void ReLU6Impl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::ReLU6(" << (options.inplace() ? "inplace=true" : "") << ")";
}
Tensor HardtanhImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, hardtanh(input, options.min_val(), options.max_val(), site),
                    options.inplace(), site);
}
void HardtanhImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Hardtanh(min_val=" << options.min_val()
      << ", max_val=" << options.max_val() << (options.inplace() ? ", inplace=true" : "") << ")";
}
Tensor SoftplusImpl::forward(const Tensor& input, CallSite site) const {
  return softplus(input, options.beta(), options.threshold(), site);
}
void SoftplusImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Softplus(beta=" << options.beta() << ", threshold=" << options.threshold()
      << ")";
}
PReLUImpl::PReLUImpl(const PReLUOptions& options) : options(options) {
  weight = register_parameter("weight", make({options.num_parameters()}));
  NoGradGuard no_grad;
  weight.fill_(options.init());
}
Tensor PReLUImpl::forward(const Tensor& input, CallSite site) const {
  return prelu(input, weight, site);
}
void PReLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::PReLU(num_parameters=" << options.num_parameters() << ")";
}
Tensor LogSigmoidImpl::forward(const Tensor& input, CallSite site) const {
  return log_sigmoid(input, site);
}
void LogSigmoidImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::LogSigmoid()"; }
Tensor MishImpl::forward(const Tensor& input, CallSite site) const { return mish(input, site); }
void MishImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Mish()"; }
Tensor GLUImpl::forward(const Tensor& input, CallSite site) const {
  return glu(input, options.dim(), site);
}
void GLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::GLU(dim=" << options.dim() << ")";
}

}  // namespace tensorlib::nn
