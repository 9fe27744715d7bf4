#include "cudart/module.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cudart/kernel_translator.h"
#include "cudart/runnable_ptx.h"
#include "machine/kernel_cache.h"
#include "src/device_image.h"

namespace xfer::emulator {

Module::Module(std::vector<std::string_view> images) : images_(std::move(images)) {
  for (const std::string_view image : images_)
    for (const int architecture : architectures_of(image)) architectures_.push_back(architecture);
}

int Module::architecture(const Options& options) {
  load(options);
  if (architecture_run_ != 0) return architecture_run_;
  int newest = 0;
  for (const int architecture : architectures_)
    if (architecture <= options.capability()) newest = std::max(newest, architecture);
  return newest != 0 ? newest : options.capability();
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

std::vector<std::string> Module::read_images(const Options& options, bool of_newer_devices) {
  std::vector<std::string> texts;
  for (const std::string_view image : images_) {
    std::string why;
    std::optional<std::string> text = of_newer_devices
                                          ? runnable_ptx(options, image, &why)
                                          : ptx_to_run(image, options.capability(), &why);
    if (why_.empty()) why_ = why;
    if (!text) continue;
    for (const int architecture : architectures_of(*text))
      architecture_run_ = std::max(architecture_run_, architecture);
    texts.push_back(std::move(*text));
  }
  return texts;
}

void Module::load(const Options& options) {
  if (std::exchange(loaded_, true)) return;
  std::vector<std::string> texts = read_images(options, false);
  // Beside code that runs, what is for other devices alone is nobody's: nvlink adds such.
  if (texts.empty() && !options.capability_is_asked_for) {
    why_.clear();
    texts = read_images(options, true);
  }
  if (images_.empty()) why_ = "its device code was not found";
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
