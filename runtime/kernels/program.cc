// A text of PTX, read once, and its kernels, translated one by one.

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/layout.h"
#include "kernels/translate/services.h"
#include "kernels/translate/unit.h"
#include "kernels/variables.h"
#include "kernels/warp/widen.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

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
  explicit PtxProgram(std::string text)
      : text_(std::move(text)),
        module_(ptx::read_module(text_)),
        variables_(variables_of(module_)) {}

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

  Entry translate(const std::string& kernel) const;
  WarpEntry translate_for_warp(const std::string& kernel, WarpShape shape) const;

  const std::string text_;
  const ptx::Module module_;
  const std::vector<ModuleVariable> variables_;
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

PtxProgram::Entry PtxProgram::translate(const std::string& kernel) const {
  const ptx::Function* const source = module_.function(kernel);
  if (source == nullptr || source->declared || !source->kernel)
    return {{}, "its PTX has no such kernel"};
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = Jit::instance().module(*context, kernel);
  Unit unit(module_, *module);
  const std::string name = fresh_name();
  Entry entry;
  try {
    const ptx::Body body = ptx::read_body(*source);
    unit.add_kernel(*source, body, name);
    entry.code.weight = weight_of(body);
  } catch (const ptx::Fault& fault) {
    return {{}, "line " + std::to_string(fault.line()) + " of its PTX: " + fault.what()};
  }
  define_services(*module);
  lower_block_atomics(*module);
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
  const ptx::Function* const source = module_.function(kernel);
  if (source == nullptr || source->declared) return {nullptr, "its PTX has no such kernel"};
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = Jit::instance().module(*context, kernel);
  Unit unit(module_, *module);
  const std::string name = fresh_name();
  try {
    unit.add_kernel(*source, ptx::read_body(*source), "thread");
  } catch (const ptx::Fault& fault) {
    return {nullptr, fault.what()};
  }
  llvm::Function* const thread = module->getFunction("thread");
  prepare_for_warp(*module, *thread, shape);
  if (auto wrong = wrong_for_warp(*thread, shape)) return {nullptr, *wrong};
  widen(*thread, name, shape);
  thread->eraseFromParent();
  define_services(*module);
  lower_block_atomics(*module);
  WarpEntry entry;
  entry.run = reinterpret_cast<RunWarp>(Jit::instance().compile(
      std::move(module), std::move(context), name, Effort::kShort, &entry.why));
  return entry;
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

Program* load_program(std::string text, std::string* why) {
  auto program = std::make_unique<PtxProgram>(std::move(text));
  const ptx::Module& module = program->module();
  if (module.functions.empty() && !module.faults.empty()) {
    *why = "line " + std::to_string(module.faults[0].line()) +
           " of its PTX: " + module.faults[0].what();
    return nullptr;
  }
  return program.release();
}

}  // namespace xfer::kernels
