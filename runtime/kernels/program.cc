// Texts of PTX, read once, and their kernels, translated one by one.

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "kernels/code_place.h"
#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/layout.h"
#include "kernels/linked_modules.h"
#include "kernels/translate/unit.h"
#include "kernels/write_kernel.h"
#include "ptx/reader.h"
#include "ptx/source_line.h"

namespace xfer::kernels {
namespace {

constexpr const char* kNoKernel = "its PTX has no such kernel";

std::string line_of_ptx(unsigned line) { return "line " + std::to_string(line) + " of its PTX"; }

/// A name for each kernel of all programs, as the JIT wants them.
std::string fresh_name() {
  static std::atomic<std::uint64_t> next{0};
  return "kernel." + std::to_string(next++);
}

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

/// Instructions count eight times in each loop that they are in: between a label and a branch back
/// to it.
std::uint64_t weight_of(const ptx::Body& body) {
  constexpr unsigned kDeepest = 4;
  std::vector<unsigned> depth(body.instructions.size() + 1);
  for (std::size_t at = 0; at < body.instructions.size(); ++at) {
    const ptx::Instruction& instruction = body.instructions[at];
    if (instruction.operation != "bra" || instruction.operands.empty()) continue;
    const auto label = body.labels.find(instruction.operands[0].name);
    if (label == body.labels.end()) continue;
    for (std::size_t inside = label->second; inside <= at; ++inside) ++depth[inside];
  }
  std::uint64_t weight = 0;
  for (std::size_t at = 0; at < body.instructions.size(); ++at)
    weight += std::uint64_t{1} << (3 * std::min(depth[at], kDeepest));
  return weight;
}

class PtxProgram : public Program {
 public:
  explicit PtxProgram(std::vector<std::string> texts) : modules_(std::move(texts)) {}

  const LinkedModules& modules() const { return modules_; }
  const std::vector<ModuleVariable>& variables() const override { return modules_.variables(); }
  std::vector<std::string> kernels() const override { return modules_.kernels(); }
  const Code* code(const std::string& kernel, std::string* why) override;
  RunWarp warp_code(const std::string& kernel, WarpShape shape, std::string* why) override;
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

  Entry translate(const std::string& kernel) const;
  WarpEntry translate_for_warp(const std::string& kernel, WarpShape shape) const;
  std::optional<TextLine> line_of(const std::string& kernel, std::optional<WarpShape> shape,
                                  const void* code, const void* at) const;

  const LinkedModules modules_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::map<std::pair<std::string, WarpShape>, WarpEntry> warp_entries_;
};

PtxProgram::Entry PtxProgram::translate(const std::string& kernel) const {
  const Definition definition = modules_.kernel(kernel);
  if (!definition) return {{}, kNoKernel};
  const ptx::Function* const source = definition.function;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = Jit::instance().module(*context, kernel);
  Unit unit(modules_, *module);
  const std::string name = fresh_name();
  Entry entry;
  try {
    const ptx::Body body = ptx::read_body(*source);
    write_kernel(unit, definition, body, name, {});
    entry.code.weight = weight_of(body);
  } catch (const ptx::Fault& fault) {
    return {{}, line_of_ptx(fault.line()) + ": " + fault.what()};
  }
  void* const run = Jit::instance().compile(std::move(module), std::move(context), name,
                                            Effort::kFull, &entry.why);
  if (run == nullptr) return entry;
  Code& code = entry.code;
  code.run = reinterpret_cast<Code::Run>(run);
  const Layout layout = layout_of(source->parameters);
  for (std::size_t i = 0; i < source->parameters.size(); ++i)
    code.parameters.push_back({static_cast<std::uint32_t>(layout.offsets[i]),
                               static_cast<std::uint32_t>(source->parameters[i].size),
                               source->parameters[i].pointer});
  code.parameter_bytes = static_cast<std::uint32_t>(layout.bytes);
  code.shared_bytes = static_cast<std::uint32_t>(unit.shared_bytes());
  code.local_bytes = static_cast<std::uint32_t>(unit.local_bytes());
  code.max_threads = max_threads_of(*source);
  code.variables = unit.variables();
  code.waits = unit.waits();
  code.approximate.assign(unit.approximate().begin(), unit.approximate().end());
  return entry;
}

PtxProgram::WarpEntry PtxProgram::translate_for_warp(const std::string& kernel,
                                                     WarpShape shape) const {
  const Definition definition = modules_.kernel(kernel);
  if (!definition) return {nullptr, kNoKernel};
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = Jit::instance().module(*context, kernel);
  Unit unit(modules_, *module);
  const std::string name = fresh_name();
  try {
    const ptx::Body body = ptx::read_body(*definition.function);
    if (auto wrong = write_kernel(unit, definition, body, name, shape)) return {nullptr, *wrong};
  } catch (const ptx::Fault& fault) {
    return {nullptr, fault.what()};
  }
  WarpEntry entry;
  entry.run = reinterpret_cast<RunWarp>(Jit::instance().compile(
      std::move(module), std::move(context), name, Effort::kShort, &entry.why));
  return entry;
}

std::string PtxProgram::place(const std::string& kernel, const void* at) {
  const std::lock_guard lock(mutex_);
  std::optional<TextLine> found;
  if (const auto entry = entries_.find(kernel); entry != entries_.end())
    found = line_of(kernel, {}, reinterpret_cast<const void*>(entry->second.code.run), at);
  for (const auto& [key, entry] : warp_entries_)
    if (!found && key.first == kernel)
      found = line_of(kernel, key.second, reinterpret_cast<const void*>(entry.run), at);
  if (!found) return {};
  std::string text = line_of_ptx(found->line);
  if (const auto source = ptx::source_of_line(modules_.text(found->text), found->line))
    text += " (" + std::string(source->file) + ":" + std::to_string(source->line) + ")";
  return text;
}

/// By what is made of the kernel once more, with the lines. `code`: where the kernel runs.
std::optional<TextLine> PtxProgram::line_of(const std::string& kernel,
                                            std::optional<WarpShape> shape, const void* code,
                                            const void* at) const {
  constexpr std::uintptr_t kLargest = 16 << 20;  // of a kernel's code
  if (code == nullptr ||
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(code) > kLargest)
    return std::nullopt;
  llvm::LLVMContext context;
  const auto module = Jit::instance().module(context, kernel);
  const Definition definition = modules_.kernel(kernel);
  {
    Unit unit(modules_, *module);
    unit.add_lines();
    write_kernel(unit, definition, ptx::read_body(*definition.function), "again", shape);
  }
  const std::string object =
      Jit::instance().object(*module, shape ? Effort::kShort : Effort::kFull);
  return line_of_code(object, "again", code, at);
}

RunWarp PtxProgram::warp_code(const std::string& kernel, WarpShape shape, std::string* why) {
  const std::lock_guard lock(mutex_);
  const std::pair key(kernel, shape);
  auto found = warp_entries_.find(key);
  if (found == warp_entries_.end())
    found = warp_entries_.emplace(key, translate_for_warp(kernel, shape)).first;
  *why = found->second.why;
  return found->second.run;
}

const Code* PtxProgram::code(const std::string& kernel, std::string* why) {
  const std::lock_guard lock(mutex_);
  auto found = entries_.find(kernel);
  if (found == entries_.end()) found = entries_.emplace(kernel, translate(kernel)).first;
  const Entry& entry = found->second;
  if (entry.code.run != nullptr) return &entry.code;
  *why = entry.why;
  return nullptr;
}

}  // namespace

Program* load_program(std::vector<std::string> texts, std::string* why) {
  auto program = std::make_unique<PtxProgram>(std::move(texts));
  const ptx::Fault* const fault = program->modules().fault();
  if (program->modules().functions().empty() && fault != nullptr) {
    *why = line_of_ptx(fault->line()) + ": " + fault->what();
    return nullptr;
  }
  return program.release();
}

}  // namespace xfer::kernels
