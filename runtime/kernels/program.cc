// A text of PTX, read once, and its kernels, translated one by one.

#include <algorithm>
#include <map>
#include <mutex>

#include "kernels/cache/translation_cache.h"
#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/layout.h"
#include "kernels/translation.h"
#include "kernels/variables.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

std::uint32_t max_threads_of(const ptx::Function& kernel) {
  std::uint64_t threads = 1024;
  for (const std::string_view limit : {"maxntid", "reqntid"}) {
    const auto found = kernel.limits.find(limit);
    if (found == kernel.limits.end()) continue;
    std::uint64_t product = 1;
    for (const std::uint64_t size : found->second) product *= std::min<std::uint64_t>(size, 1024);
    threads = std::min(threads, product);
  }
  return static_cast<std::uint32_t>(threads);
}

class PtxProgram : public Program {
 public:
  PtxProgram(std::string text, const Settings& settings)
      : text_(std::move(text)),
        module_(ptx::read_module(text_)),
        variables_(variables_of(module_)),
        cache_(settings.cache, text_) {}

  const ptx::Module& module() const { return module_; }
  const std::vector<ModuleVariable>& variables() const override { return variables_; }
  std::vector<std::string> kernels() const override;
  const Code* code(const std::string& kernel, std::string* why) override;
  RunWarp warp_code(const std::string& kernel, WarpShape shape, std::string* why) override;

 private:
  struct Entry {
    Code code;
    std::string why;  ///< it cannot be run
  };

  struct WarpEntry {
    RunWarp run = nullptr;
    std::string why;
  };

  Entry make(const std::string& kernel);
  WarpEntry make_for_warp(const std::string& kernel, WarpShape shape);

  const std::string text_;
  const ptx::Module module_;
  const std::vector<ModuleVariable> variables_;
  TranslationCache cache_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::map<std::pair<std::string, WarpShape>, WarpEntry> warp_entries_;
};

std::vector<std::string> PtxProgram::kernels() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : module_.functions)
    if (function.kernel) names.emplace_back(name);
  return names;
}

PtxProgram::Entry PtxProgram::make(const std::string& kernel) {
  Translation translation =
      cache_.get(kernel, "thread", [&] { return translate(module_, kernel); });
  Entry entry{{}, std::move(translation.why)};
  if (!entry.why.empty()) return entry;
  void* const run = Jit::instance().link(translation.object, &entry.why);
  if (run == nullptr) return entry;
  Code& code = entry.code;
  code.run = reinterpret_cast<Code::Run>(run);
  const ptx::Function& source = *module_.function(kernel);
  const Layout layout = layout_of(source.parameters);
  for (std::size_t i = 0; i < source.parameters.size(); ++i)
    code.parameters.push_back({static_cast<std::uint32_t>(layout.offsets[i]),
                               static_cast<std::uint32_t>(source.parameters[i].size),
                               source.parameters[i].pointer});
  code.parameter_bytes = static_cast<std::uint32_t>(layout.bytes);
  code.shared_bytes = static_cast<std::uint32_t>(translation.shared_bytes);
  code.local_bytes = static_cast<std::uint32_t>(translation.local_bytes);
  code.max_threads = max_threads_of(source);
  code.variables = std::move(translation.variables);
  code.weight = translation.weight;
  code.waits = translation.waits;
  code.approximate = std::move(translation.approximate);
  return entry;
}

PtxProgram::WarpEntry PtxProgram::make_for_warp(const std::string& kernel, WarpShape shape) {
  Translation translation =
      cache_.get(kernel, "warp " + std::to_string(static_cast<unsigned>(shape)),
                 [&] { return translate_for_warp(module_, kernel, shape); });
  WarpEntry entry{nullptr, std::move(translation.why)};
  if (entry.why.empty())
    entry.run = reinterpret_cast<RunWarp>(Jit::instance().link(translation.object, &entry.why));
  return entry;
}

RunWarp PtxProgram::warp_code(const std::string& kernel, WarpShape shape, std::string* why) {
  const std::lock_guard lock(mutex_);
  const std::pair key(kernel, shape);
  auto found = warp_entries_.find(key);
  if (found == warp_entries_.end())
    found = warp_entries_.emplace(key, make_for_warp(kernel, shape)).first;
  *why = found->second.why;
  return found->second.run;
}

const Code* PtxProgram::code(const std::string& kernel, std::string* why) {
  const std::lock_guard lock(mutex_);
  auto found = entries_.find(kernel);
  if (found == entries_.end()) found = entries_.emplace(kernel, make(kernel)).first;
  const Entry& entry = found->second;
  if (entry.code.run != nullptr) return &entry.code;
  *why = entry.why;
  return nullptr;
}

}  // namespace

Program* load_program(std::string text, std::string* why, const Settings& settings) {
  auto program = std::make_unique<PtxProgram>(std::move(text), settings);
  const ptx::Module& module = program->module();
  if (module.functions.empty() && !module.faults.empty()) {
    *why = "line " + std::to_string(module.faults[0].line()) +
           " of its PTX: " + module.faults[0].what();
    return nullptr;
  }
  return program.release();
}

}  // namespace xfer::kernels
