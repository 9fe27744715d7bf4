#pragma once
// The module of LLVM made for one kernel, with the kernel's function and those it calls.

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/linked_modules.h"
#include "kernels/translate/lines.h"
#include "ptx/module.h"

namespace xfer::kernels {

class Unit {
 public:
  Unit(const LinkedModules& source, llvm::Module& target) : source_(source), target_(target) {}

  /// Kernels shall count what their loops run, into Thread::turned: those written from now on.
  void count_turns() { counts_turns_ = true; }
  bool counts_turns() const { return counts_turns_; }
  /// Debug information too: what was written before has none.
  void add_lines() { lines_.emplace(source_, target_); }

  const LinkedModules& source() const { return source_; }
  llvm::Module& target() { return target_; }

  /// Translates the kernel into a function of that name. Throws ptx::Fault.
  void add_kernel(const Definition& kernel, const ptx::Body& body, const std::string& name);
  /// A function that the kernel calls, translated when it is first asked for. Throws ptx::Fault.
  llvm::Function* function(const Definition& definition);

  /// The place of a variable of device memory in Block::variables.
  unsigned place_on_device(const ptx::Variable& variable);
  /// Stands for the offset of dynamic shared memory, which a launch decides.
  static constexpr std::uint64_t kDynamic = ~std::uint64_t{0};
  /// The offset of a variable in shared memory that is not of a function.
  std::uint64_t offset_in_shared(const ptx::Variable& variable);
  /// A place for a shared variable of a function.
  std::uint64_t place_shared(const ptx::Variable& variable);
  /// A place for a local variable of the kernel.
  std::uint64_t place_local(const ptx::Variable& variable);

  /// All functions whose address something takes, by the number that stands for it.
  llvm::GlobalVariable* function_table();

  void note_wait() { waits_ = true; }
  bool waits() const { return waits_; }
  void note_telling() { tells_others_ = true; }
  bool tells_others() const { return tells_others_; }
  void note_touches() { records_touches_ = true; }
  bool records_touches() const { return records_touches_; }
  void note_approximate(const std::string& operation) { approximate_.insert(operation); }
  const std::set<std::string>& approximate() const { return approximate_; }
  const std::vector<std::string>& variables() const { return variables_; }
  std::uint64_t shared_bytes() const { return (shared_bytes_ + 15) / 16 * 16; }
  std::uint64_t local_bytes() const { return (local_bytes_ + 15) / 16 * 16; }

 private:
  struct Callee {
    std::unique_ptr<ptx::Body> body;
    llvm::Function* function = nullptr;
  };

  llvm::Function* create(const Definition& definition, llvm::GlobalValue::LinkageTypes linkage,
                         const std::string& name);

  const LinkedModules& source_;
  llvm::Module& target_;
  std::optional<Lines> lines_;
  std::unordered_map<const ptx::Function*, Callee> callees_;
  std::unordered_map<const ptx::Variable*, unsigned> variable_places_;
  std::vector<std::string> variables_;
  std::unordered_map<const ptx::Variable*, std::uint64_t> shared_offsets_;
  std::uint64_t shared_bytes_ = 0;
  std::uint64_t local_bytes_ = 0;
  bool counts_turns_ = false;
  bool waits_ = false;
  bool records_touches_ = false;
  bool tells_others_ = false;
  std::set<std::string> approximate_;
  llvm::GlobalVariable* function_table_ = nullptr;
};

}  // namespace xfer::kernels
