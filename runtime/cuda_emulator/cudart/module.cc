#include "cudart/module.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cudart/kernel_translator.h"
#include "machine/kernel_cache.h"
#include "src/device_image.h"

namespace xfer::emulator {

Module::Module(std::vector<std::string_view> images) : images_(std::move(images)) {
  for (const std::string_view image : images_)
    for (const int architecture : architectures_of(image)) architectures_.push_back(architecture);
}

int Module::architecture_for(int capability) const {
  int newest = 0;
  for (const int architecture : architectures_)
    if (architecture <= capability) newest = std::max(newest, architecture);
  return newest != 0 ? newest : capability;
}

const kernels::Code* Module::code(const Options& options, const std::string& kernel,
                                  kernels::Extra extra, std::string* why) {
  load(options);
  if (program_ == nullptr) {
    *why = why_;
    return nullptr;
  }
  const kernels::Code* const code = program_->code(kernel, extra, why);
  if (code != nullptr || why_.empty()) return code;
  // An image that could not be read may have had it.
  const std::vector<std::string> its = kernels();
  if (std::find(its.begin(), its.end(), kernel) == its.end()) *why = why_;
  return nullptr;
}

bool Module::read(const Options& options, std::string* why) {
  load(options);
  *why = why_;
  return is_read();
}

std::vector<std::string> Module::kernels() const {
  return is_read() ? program_->kernels() : std::vector<std::string>();
}

kernels::RunWarp Module::warp_code(const std::string& kernel, kernels::Extra extra,
                                   kernels::WarpShape shape) {
  std::string why;
  return is_read() ? program_->warp_code(kernel, extra, shape, &why) : nullptr;
}

std::string Module::place(const std::string& kernel, const void* at) {
  return is_read() && at != nullptr ? program_->place(kernel, at) : std::string();
}

const kernels::ModuleVariable* Module::variable(const Options& options, const std::string& name) {
  load(options);
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

void Module::load(const Options& options) {
  if (std::exchange(loaded_, true)) return;
  if (images_.empty()) why_ = "its device code is not to be found";
  std::vector<std::string> texts;
  for (const std::string_view image : images_) {
    std::string why;
    std::optional<std::string> text =
        ptx_to_run(image, options.capability_major * 10 + options.capability_minor, &why);
    if (text) texts.push_back(std::move(*text));
    if (why_.empty()) why_ = why;
  }
  if (texts.empty()) return;
  const kernels::LoadProgram translate = kernel_translator(&why_);
  if (translate == nullptr) return;
  program_.reset(translate(std::move(texts), &why_,
                           {.cache = kernel_cache_directory(
                                options, secure_getenv("XDG_CACHE_HOME"), secure_getenv("HOME"))}));
  if (program_ == nullptr) return;
  for (const auto& variable : program_->variables()) variables_.emplace(variable.name, &variable);
}

}  // namespace xfer::emulator
