// Texts of PTX, read once, and their kernels, translated one by one.

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "kernels/cache/translation_cache.h"
#include "kernels/code_place.h"
#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/layout.h"
#include "kernels/linked_modules.h"
#include "kernels/translation.h"
#include "ptx/reader.h"
#include "ptx/source_line.h"

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

std::string text_of(const Purpose& purpose) {
  std::string text =
      purpose.shape ? "warp " + std::to_string(static_cast<unsigned>(*purpose.shape)) : "thread";
  return purpose.extra == Extra::kNone ? text : text + " that records what it touches";
}

class PtxProgram : public Program {
 public:
  PtxProgram(std::vector<std::string> texts, const Settings& settings)
      : cache_(settings.cache, texts), modules_(std::move(texts)) {}

  const LinkedModules& modules() const { return modules_; }
  const std::vector<ModuleVariable>& variables() const override { return modules_.variables(); }
  std::vector<std::string> kernels() const override { return modules_.kernels(); }
  const Code* code(const std::string& kernel, Extra extra, std::string* why) override;
  RunWarp warp_code(const std::string& kernel, Extra extra, WarpShape shape,
                    std::string* why) override;
  std::string place(const std::string& kernel, const void* at) override;

 private:
  struct Entry {
    Code code;
    std::string why;  ///< it cannot be run
  };

  struct WarpEntry {
    RunWarp run = nullptr;
    std::string why;
  };

  /// Where the code runs, and what its translation says; null: `why` says what stops it.
  std::pair<void*, Translation> linked(const std::string& kernel, const Purpose& purpose);
  Entry make(const std::string& kernel, Extra extra);
  WarpEntry make_for_warp(const std::string& kernel, Extra extra, WarpShape shape);
  std::optional<TextLine> line_of(const std::string& kernel, const Purpose& purpose,
                                  const void* code, const void* at) const;

  TranslationCache cache_;
  const LinkedModules modules_;
  std::mutex mutex_;
  std::map<std::pair<std::string, Extra>, Entry> entries_;
  std::map<std::tuple<std::string, Extra, WarpShape>, WarpEntry> warp_entries_;
};

std::pair<void*, Translation> PtxProgram::linked(const std::string& kernel,
                                                 const Purpose& purpose) {
  Translation translation =
      cache_.get(kernel, text_of(purpose), [&] { return translate(modules_, kernel, purpose); });
  void* const run = translation.why.empty()
                        ? Jit::instance().link(translation.object, &translation.why)
                        : nullptr;
  return {run, std::move(translation)};
}

PtxProgram::Entry PtxProgram::make(const std::string& kernel, Extra extra) {
  const Definition definition = modules_.kernel(kernel);
  if (!definition) return {{}, "its PTX has no such kernel"};
  const ptx::Function& source = *definition.function;
  auto [run, translation] = linked(kernel, {extra, {}});
  Entry entry{{}, std::move(translation.why)};
  if (run == nullptr) return entry;
  Code& code = entry.code;
  code.run = reinterpret_cast<Code::Run>(run);
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
  code.length = translation.cost.length;
  code.weight = translation.cost.instructions;
  code.bytes = translation.cost.bytes;
  code.waits = translation.waits;
  code.counts_on_lane_order = translation.counts_on_lane_order;
  code.approximate = std::move(translation.approximate);
  code.extra = extra;
  code.records_touches = translation.records_touches;
  code.tells_others = translation.tells_others;
  return entry;
}

PtxProgram::WarpEntry PtxProgram::make_for_warp(const std::string& kernel, Extra extra,
                                                WarpShape shape) {
  auto [run, translation] = linked(kernel, {extra, shape});
  return {reinterpret_cast<RunWarp>(run), std::move(translation.why)};
}

std::string PtxProgram::place(const std::string& kernel, const void* at) {
  const std::lock_guard lock(mutex_);
  std::optional<TextLine> found;
  for (const auto& [key, entry] : entries_)
    if (!found && key.first == kernel)
      found = line_of(kernel, {key.second, {}}, reinterpret_cast<const void*>(entry.code.run), at);
  for (const auto& [key, entry] : warp_entries_)
    if (!found && std::get<0>(key) == kernel)
      found = line_of(kernel, {std::get<1>(key), std::get<2>(key)},
                      reinterpret_cast<const void*>(entry.run), at);
  if (!found) return {};
  std::string text = line_of_ptx(found->line);
  if (const auto source = ptx::source_of_line(modules_.text(found->text), found->line))
    text += " (" + std::string(source->file) + ":" + std::to_string(source->line) + ")";
  return text;
}

/// By what is made of the kernel once more, with the lines. `code`: where the kernel runs.
std::optional<TextLine> PtxProgram::line_of(const std::string& kernel, const Purpose& purpose,
                                            const void* code, const void* at) const {
  constexpr std::uintptr_t kLargest = 16 << 20;  // of a kernel's code
  if (code == nullptr ||
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(code) > kLargest)
    return std::nullopt;
  return line_of_code(object_with_lines(modules_, kernel, purpose), Jit::kEntry, code, at);
}

RunWarp PtxProgram::warp_code(const std::string& kernel, Extra extra, WarpShape shape,
                              std::string* why) {
  const std::lock_guard lock(mutex_);
  const std::tuple key(kernel, extra, shape);
  auto found = warp_entries_.find(key);
  if (found == warp_entries_.end())
    found = warp_entries_.emplace(key, make_for_warp(kernel, extra, shape)).first;
  *why = found->second.why;
  return found->second.run;
}

const Code* PtxProgram::code(const std::string& kernel, Extra extra, std::string* why) {
  const std::lock_guard lock(mutex_);
  const std::pair key(kernel, extra);
  auto found = entries_.find(key);
  if (found == entries_.end()) found = entries_.emplace(key, make(kernel, extra)).first;
  const Entry& entry = found->second;
  if (entry.code.run != nullptr) return &entry.code;
  *why = entry.why;
  return nullptr;
}

}  // namespace

Program* load_program(std::vector<std::string> texts, std::string* why, const Settings& settings) {
  auto program = std::make_unique<PtxProgram>(std::move(texts), settings);
  const ptx::Fault* const fault = program->modules().fault();
  if (program->modules().functions().empty() && fault != nullptr) {
    *why = line_of_ptx(fault->line()) + ": " + fault->what();
    return nullptr;
  }
  return program.release();
}

}  // namespace xfer::kernels
