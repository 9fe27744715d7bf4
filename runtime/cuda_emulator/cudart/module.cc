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
                                  std::string* why) {
  load(options);
  *why = why_;
  for (const auto& program : programs_) {
    std::string reason;
    if (const kernels::Code* const code = program->code(kernel, &reason)) return code;
    if (why->empty()) *why = reason;
  }
  return nullptr;
}

bool Module::read(const Options& options, std::string* why) {
  load(options);
  *why = why_;
  return !programs_.empty();
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto& program : programs_)
    for (std::string& name : program->kernels()) names.push_back(std::move(name));
  return names;
}

kernels::RunWarp Module::warp_code(const kernels::Code& code, const std::string& kernel,
                                   kernels::WarpShape shape) {
  std::string why;
  for (const auto& program : programs_)
    if (program->code(kernel, &why) == &code) return program->warp_code(kernel, shape, &why);
  return nullptr;
}

const kernels::ModuleVariable* Module::variable(const Options& options, const std::string& name) {
  load(options);
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

void Module::load(const Options& options) {
  if (std::exchange(loaded_, true)) return;
  if (images_.empty()) why_ = "its device code is not to be found";
  for (const std::string_view image : images_) {
    std::optional<std::string> text =
        ptx_to_run(image, options.capability_major * 10 + options.capability_minor, &why_);
    if (!text) continue;
    const kernels::LoadProgram translate = kernel_translator(&why_);
    if (translate == nullptr) return;
    std::unique_ptr<kernels::Program> program(
        translate(std::move(*text), &why_,
                  {.cache = kernel_cache_directory(options, secure_getenv("XDG_CACHE_HOME"),
                                                   secure_getenv("HOME"))}));
    if (program == nullptr) continue;
    for (const auto& variable : program->variables()) variables_.emplace(variable.name, &variable);
    programs_.push_back(std::move(program));
  }
}

}  // namespace xfer::emulator
